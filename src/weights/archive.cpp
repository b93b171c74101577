#include "weights/archive.h"

#include <zip.h>

#include "sotto/core/error.h"

namespace sotto::weights {
namespace {

struct FileCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::string first_folder(zip_t* archive) {
  const char* name = zip_get_name(archive, 0, ZIP_FL_ENC_RAW);
  const std::string text = name == nullptr ? "" : name;
  const auto slash = text.find('/');
  check_argument(slash != std::string::npos, "it is not an archive that PyTorch wrote");
  return text.substr(0, slash + 1);
}

}  // namespace

struct Archive::Handle {
  explicit Handle(const std::string& bytes) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
    if (source != nullptr) archive = zip_open_from_source(source, ZIP_RDONLY, &error);
    if (source != nullptr && archive == nullptr) zip_source_free(source);
    zip_error_fini(&error);
    check_argument(archive != nullptr, "it is not a zip archive");
  }
  ~Handle() { zip_discard(archive); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  zip_t* archive = nullptr;
};

bool looks_like_archive(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

Archive::Archive(std::shared_ptr<const std::string> bytes)
    : bytes_(std::move(bytes)), handle_(std::make_unique<Handle>(*bytes_)) {
  folder_ = first_folder(handle_->archive);
}

Archive::~Archive() = default;

bool Archive::has(const std::string& name) const {
  return zip_name_locate(handle_->archive, (folder_ + name).c_str(), ZIP_FL_ENC_RAW) >= 0;
}

Archive::Record Archive::record(const std::string& name) {
  if (const auto known = read_.find(name); known != read_.end()) return known->second;
  const auto index = zip_name_locate(handle_->archive, (folder_ + name).c_str(), ZIP_FL_ENC_RAW);
  check_argument(index >= 0, "it lacks a record that it names");
  zip_stat_t about;
  const auto place = static_cast<zip_uint64_t>(index);
  check_argument(zip_stat_index(handle_->archive, place, 0, &about) == 0 &&
                     (about.valid & ZIP_STAT_SIZE) != 0 &&
                     (about.valid & ZIP_STAT_COMP_METHOD) != 0 && about.comp_method == ZIP_CM_STORE,
                 "one of its records is not stored as it is");
  check_argument(about.size <= bytes_->size() - read_bytes_,
                 "its records are longer than the file");
  std::string content(about.size, '\0');
  const std::unique_ptr<zip_file_t, FileCloser> file(zip_fopen_index(handle_->archive, place, 0));
  char behind = 0;  // reading to the end has the checksum compared
  check_argument(file != nullptr &&
                     zip_fread(file.get(), content.data(), content.size()) ==
                         static_cast<zip_int64_t>(content.size()) &&
                     zip_fread(file.get(), &behind, 1) == 0,
                 "one of its records is damaged");
  read_bytes_ += content.size();
  return read_[name] = std::make_shared<const std::string>(std::move(content));
}

}  // namespace sotto::weights
