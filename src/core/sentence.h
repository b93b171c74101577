// Half sentences, as errors and warnings have them, made whole.
#pragma once

#include <string>

namespace sotto {

// With a capital letter at the beginning and a full stop at the end; "" stays "".
std::string as_sentence(std::string text);

}  // namespace sotto
