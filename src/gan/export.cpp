#include "gan/export.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/atomic_file.h"
#include "data/csv_schema.h"
#include "data/png_image.h"
#include "gan/gan_run.h"
#include "gan/table_columns.h"
#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

using at::Tensor;

void require_images(const GeneratorCard& card, const char* format) {
  check_setting(card.shape.sample.size() == 3, the_setting("format"), " ", format,
                ": is for images; rows of a table take csv");
}

void make_empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  check_argument(
      !std::filesystem::exists(folder, error) || (std::filesystem::is_directory(folder, error) &&
                                                  std::filesystem::is_empty(folder, error)),
      folder.string(), ": exists and is not an empty folder");
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot make the folder", error.value());
}

// (n, c, h, w) in [0, 1] -> bytes.
Tensor bytes_of(const Tensor& samples) {
  return samples.mul(255).round().clamp(0, 255).to(at::kByte).contiguous();
}

std::string idx_file(const Tensor& bytes) {
  std::string text{'\0', '\0', '\x08', static_cast<char>(bytes.dim())};
  for (const auto extent : bytes.sizes()) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      text += static_cast<char>(static_cast<unsigned char>(extent >> shift));
    }
  }
  return text.append(reinterpret_cast<const char*>(bytes.data_ptr<std::uint8_t>()),
                     static_cast<std::size_t>(bytes.numel()));
}

void write_idx_part(const std::filesystem::path& folder, const std::string& part,
                    const Tensor& bytes, const Tensor& labels) {
  const bool grey = bytes.size(1) == 1;
  write_file_atomically(folder / (part + "-images-idx3-ubyte"),
                        idx_file(grey ? bytes.squeeze(1).contiguous() : bytes.contiguous()));
  write_file_atomically(folder / (part + "-labels-idx1-ubyte"),
                        idx_file(labels.to(at::kByte).contiguous()));
}

std::string safe_name(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

// One a class; with its number where two would be the same.
std::vector<std::string> folder_names(const std::vector<std::string>& classes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    std::string name = safe_name(classes[i]);
    const bool taken = name.empty() || std::find(names.begin(), names.end(), name) != names.end();
    names.push_back(taken ? std::to_string(i) + "_" + name : name);
  }
  return names;
}

std::string csv_quoted(const std::string& field, char separator = ',') {
  if (field.find_first_of(std::string("\"\n\r") + separator) == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

// The order of the file that was learnt from; what it does not name stands behind.
std::vector<DecodedColumn> ordered(std::vector<DecodedColumn> columns,
                                   const std::vector<std::string>& header) {
  const auto place = [&](const DecodedColumn& column) {
    return std::find(header.begin(), header.end(), column.name) - header.begin();
  };
  std::stable_sort(
      columns.begin(), columns.end(),
      [&](const DecodedColumn& a, const DecodedColumn& b) { return place(a) < place(b); });
  return columns;
}

// Nothing where the value is missing.
std::string field_of(const DecodedColumn& column, std::size_t row,
                     const data::TableFormat& format) {
  const double value = column.values[row];
  if (std::isnan(value)) return "";
  auto text = column.text(value);
  if (column.is_number()) std::replace(text.begin(), text.end(), '.', format.decimal);
  return csv_quoted(text, format.separator);
}

std::string table_text(const SyntheticData& data, const GeneratorCard& card) {
  const auto columns = ordered(decoded_table(data.samples, data.labels, card.schema), card.header);
  const auto format = data::parse_csv_schema(card.schema, "the generator's schema").format;
  const std::string separator(1, format.separator);
  std::string text;
  for (const auto& column : columns) {
    text += (text.empty() ? "" : separator) + csv_quoted(column.name, format.separator);
  }
  text += '\n';
  for (std::size_t row = 0; row < columns.front().values.size(); ++row) {
    for (const auto& column : columns) {
      text += (&column == &columns.front() ? "" : separator) + field_of(column, row, format);
    }
    text += '\n';
  }
  return text;
}

std::string pixel_text(const SyntheticData& data, const GeneratorCard& card) {
  const Tensor bytes = bytes_of(data.samples).flatten(1);
  std::string text = "label";
  for (std::int64_t i = 0; i < bytes.size(1); ++i) text += ",pixel" + std::to_string(i);
  text += '\n';
  for (std::int64_t i = 0; i < bytes.size(0); ++i) {
    text += csv_quoted(card.classes[static_cast<std::size_t>(data.labels[i].item<std::int64_t>())]);
    const auto* pixels = bytes.data_ptr<std::uint8_t>() + i * bytes.size(1);
    for (std::int64_t p = 0; p < bytes.size(1); ++p) text += "," + std::to_string(pixels[p]);
    text += '\n';
  }
  return text;
}

}  // namespace

void write_idx(const std::filesystem::path& folder, const SyntheticData& data,
               const GeneratorCard& card) {
  require_images(card, "idx");
  check_setting(card.classes.size() <= 256, the_setting("format"),
                " idx: holds at most 256 classes, there are ", card.classes.size());
  const auto n = data.labels.size(0);
  check_setting(n >= 2, the_setting("format"), " idx: needs at least 2 samples, got ", n);
  make_empty_folder(folder);
  const auto test = std::max<std::int64_t>(1, n / 7);
  const Tensor bytes = bytes_of(data.samples);
  write_idx_part(folder, "train", bytes.narrow(0, 0, n - test), data.labels.narrow(0, 0, n - test));
  write_idx_part(folder, "t10k", bytes.narrow(0, n - test, test),
                 data.labels.narrow(0, n - test, test));
}

void write_png(const std::filesystem::path& folder, const SyntheticData& data,
               const GeneratorCard& card) {
  require_images(card, "png");
  make_empty_folder(folder);
  const Tensor bytes = bytes_of(data.samples).permute({0, 2, 3, 1}).contiguous();  // (n, h, w, c)
  const auto names = folder_names(card.classes);
  for (const auto& name : names) std::filesystem::create_directories(folder / name);
  for (std::int64_t i = 0; i < bytes.size(0); ++i) {
    const Tensor pixels = bytes[i];
    data::Image image{pixels.size(0), pixels.size(1), pixels.size(2), {}};
    image.pixels.assign(reinterpret_cast<const char*>(pixels.data_ptr<std::uint8_t>()),
                        static_cast<std::size_t>(pixels.numel()));
    const auto label = static_cast<std::size_t>(data.labels[i].item<std::int64_t>());
    char name[32];
    std::snprintf(name, sizeof name, "%06lld.png", static_cast<long long>(i));
    write_file_atomically(folder / names[label] / name, data::encode_png(image));
  }
}

void write_csv(const std::filesystem::path& file, const SyntheticData& data,
               const GeneratorCard& card) {
  write_file_atomically(file,
                        card.schema.empty() ? pixel_text(data, card) : table_text(data, card));
}

void write_sheet(const std::filesystem::path& file, const Generator& generator,
                 const GeneratorCard& card) {
  write_file_atomically(file, sample_sheet(generator, card));
}

}  // namespace sotto::gan
