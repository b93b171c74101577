// The flags of one command: declared, parsed, and explained by --help.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sotto::cli {

// What was written behind a flag; nothing if the flag was not given.
using FlagText = std::optional<std::string>;

// CLI11 behind a wall: its header takes seconds to read, in every file that sees it.
class FlagSet {
 public:
  // One declared flag or positional argument, for what is rarely said of it.
  class Flag {
   public:
    Flag& required();
    // May be given several times, one value each.
    Flag& repeatable();
    // Several values in one word.
    Flag& separated_by(char separator);
    // Behind it stands a file that the command writes: see FlagSet::check_output, which parse()
    // calls for it.
    Flag& writes();
    // The same, if what is written is more or less than a file of that name: the command itself
    // calls check_output or check_output_folder, for each.
    Flag& names_outputs();
    // A file that is made if it is not there, and read. No output may go there.
    Flag& makes();
    // Files, or folders of them. No output may go over one.
    Flag& reads();
    // A run: its folder, or a file in it. No output may go over its files, nor over the data that
    // it was trained on.
    Flag& names_run();

   private:
    friend class FlagSet;
    Flag(FlagSet& flags, void* option) : flags_(&flags), option_(option) {}
    FlagSet* flags_;
    void* option_;  // a CLI::Option, owned by the set
  };

  // `command`: as it is called, "sotto budget".
  FlagSet(const std::string& description, const std::string& command);
  ~FlagSet();
  FlagSet(const FlagSet&) = delete;
  FlagSet& operator=(const FlagSet&) = delete;

  // `names`: "-b,--batch-size N", or "MODEL" for a positional argument; "--test-data|--test FILE"
  // is also known by an old name, which help does not show. Behind the space stands what the value
  // is: N (a whole number), X (a number), FILE, DIR, NAME, COLUMN, SIZE ..., with commas if it may
  // be several (N,N), or the words that are accepted (csv|binary), which shells then complete. What
  // is given goes to `target`, which must outlive the set.
  Flag add_option(const std::string& names, FlagText& target, const std::string& help);
  Flag add_option(const std::string& names, std::string& target, const std::string& help);
  Flag add_option(const std::string& names, std::vector<std::string>& target,
                  const std::string& help);
  Flag add_flag(const std::string& names, bool& target, const std::string& help);
  // Behind the flags in --help: examples.
  void footer(const std::string& text);
  // Arguments that nothing was declared for are kept, see remaining().
  void allow_extras();

  // Returns false if help was asked for and printed; throws UsageError with one line if the
  // arguments do not fit.
  bool parse(std::vector<std::string> arguments);

  // For outputs that have a name by default. Throws UsageError, naming `flag`, unless a file may be
  // written at `path`, or a new folder be made (see OutputGuard): nothing goes over what the
  // command line gives to be read, and over other files only with --force, which the first flag
  // that writes declares.
  void check_output(const std::string& flag, const std::filesystem::path& path);
  void check_output_folder(const std::string& flag, const std::filesystem::path& path);

  // Of all flags.
  std::vector<std::string> names() const;

  // After parse(): how often a flag was given, all flags that were, and what was not declared.
  std::size_t count(const std::string& name) const;
  std::vector<std::string> given() const;
  std::vector<std::string> remaining() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// "--epocs: unknown; did you mean --epochs?", or where the flags of the command are listed.
std::string unknown_flag(const std::string& flag, const std::vector<std::string>& known,
                         const std::string& command);

}  // namespace sotto::cli
