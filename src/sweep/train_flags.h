// The flags of `sotto train` that a sweep may vary: those of its settings table.
#pragma once

#include <string>
#include <vector>

namespace sotto::sweep {

struct TrainFlag {
  std::vector<std::string> names;  // with dashes
  std::string name;                // the one to use, without dashes
  bool takes_value = false;
};

class TrainFlags {
 public:
  TrainFlags();

  // By any of its names, with dashes. Throws InvalidArgument, beginning with `place`, if there is
  // none, or if a sweep sets it for its runs itself.
  const TrainFlag& find(const std::string& name, const std::string& place) const;

  // All of them, with dashes.
  std::vector<std::string> names() const;
  // Whether find() finds it, or refuses it as one that a sweep sets.
  bool knows(const std::string& name) const;

 private:
  std::vector<TrainFlag> flags_;
};

}  // namespace sotto::sweep
