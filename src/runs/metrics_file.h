// A file of JSON lines that grows by one line an epoch, or a look.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace sotto::runs {

// One line more, on the disk when it returns. Lines are in the order of their "epoch", or "step",
// each once: those that this one repeats, or that come after it, go, since a run that was resumed
// has come here again. So does a last line that is not whole. Throws FileError; what can be written
// of the line may then be there, and the next call puts it right.
void append_json_line(const std::filesystem::path& path, const nlohmann::json& line);

// The largest "epoch" of the file's lines; 0 if there is none.
std::int64_t last_epoch_of(const std::filesystem::path& path);

}  // namespace sotto::runs
