// A visitor made of lambdas, one for each type of a variant.
#pragma once

namespace sotto {

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

}  // namespace sotto
