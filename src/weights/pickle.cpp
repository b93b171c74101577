#include "weights/pickle.h"

#include <array>
#include <bit>
#include <map>

#include "sotto/core/error.h"
#include "weights/pickle_input.h"

namespace sotto::weights {
namespace {

constexpr std::size_t kLongestPickle = std::size_t{4} << 20U;
constexpr std::string_view kOrderedDict = "collections OrderedDict";
constexpr std::string_view kTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kParameter = "torch._utils _rebuild_parameter";
constexpr std::string_view kModulePrefix = "__torch__";
constexpr std::string_view kListPrefix = "torch.jit._pickle build_";

constexpr std::array<std::pair<std::string_view, ElementType>, 10> kStorages{{
    {"torch BoolStorage", ElementType::kBool},
    {"torch ByteStorage", ElementType::kU8},
    {"torch CharStorage", ElementType::kI8},
    {"torch ShortStorage", ElementType::kI16},
    {"torch IntStorage", ElementType::kI32},
    {"torch LongStorage", ElementType::kI64},
    {"torch HalfStorage", ElementType::kF16},
    {"torch BFloat16Storage", ElementType::kBF16},
    {"torch FloatStorage", ElementType::kF32},
    {"torch DoubleStorage", ElementType::kF64},
}};

bool is_storage(std::string_view name) {
  for (const auto& [known, type] : kStorages) {
    if (name == known) return true;
  }
  return false;
}

ElementType element_type(const std::string& storage) {
  for (const auto& [known, type] : kStorages) {
    if (storage == known) return type;
  }
  throw InvalidArgument("its pickle has a tensor of an unknown type");
}

bool is_known(std::string_view name) {
  return name == kOrderedDict || name == kTensor || name == kParameter || is_storage(name) ||
         name.starts_with(kModulePrefix) || name.starts_with(kListPrefix);
}

// Printable, for a message.
std::string shown(std::string_view name) {
  std::string text;
  for (const char c : name.substr(0, 60)) text += c >= ' ' && c <= '~' ? c : '?';
  return text;
}

}  // namespace

// Python's virtual machine, as far as it is known here: a stack of values, marks on it, and values
// remembered by number. Every instruction makes at most one value.
class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, Pickle& pickle) : input_(bytes), pickle_(pickle) {}

  void run() {
    check_argument(input_.byte() == 0x80 && input_.byte() == 2, "its pickle is not of protocol 2");
    for (char code = next(); code != '.'; code = next()) execute(code);
    check_argument(stack_.size() == 1 && marks_.empty() && input_.is_empty(),
                   "its pickle does not end with one value");
    pickle_.root_ = stack_.back();
  }

 private:
  char next() { return static_cast<char>(input_.byte()); }

  void execute(char code) {
    const bool done = push_constant(code) || push_collection(code) || use_memory(code) ||
                      fill_collection(code) || call(code);
    check_argument(done, "its pickle has an instruction that weights do not need (",
                   static_cast<int>(static_cast<std::uint8_t>(code)), ")");
  }

  bool push_constant(char code) {
    switch (code) {
      case 'N':
        push(NoValue{});
        return true;
      case '\x88':
      case '\x89':
        push(code == '\x88');
        return true;
      case 'K':
        push(static_cast<std::int64_t>(input_.number(1)));
        return true;
      case 'M':
        push(static_cast<std::int64_t>(input_.number(2)));
        return true;
      case 'J':
        push(std::int64_t{static_cast<std::int32_t>(input_.number(4))});
        return true;
      case '\x8a':
        push(long_integer());
        return true;
      case 'G':
        push(real());
        return true;
      case 'X':
        push(std::string(input_.take(input_.number(4))));
        return true;
      case 'c':
        push(global());
        return true;
      default:
        return false;
    }
  }

  bool push_collection(char code) {
    switch (code) {
      case ')':
      case ']':
        push(Sequence{});
        return true;
      case '}':
        push(Dictionary{});
        return true;
      case '(':
        marks_.push_back(stack_.size());
        return true;
      case 't':
        push(Sequence{since_mark()});
        return true;
      case '\x85':
      case '\x86':
      case '\x87':
        push(Sequence{last(static_cast<std::size_t>(code - '\x85') + 1)});
        return true;
      default:
        return false;
    }
  }

  bool use_memory(char code) {
    switch (code) {
      case 'q':
        memory_[input_.number(1)] = top();
        return true;
      case 'r':
        memory_[input_.number(4)] = top();
        return true;
      case 'h':
        stack_.push_back(remembered(input_.number(1)));
        return true;
      case 'j':
        stack_.push_back(remembered(input_.number(4)));
        return true;
      default:
        return false;
    }
  }

  bool fill_collection(char code) {
    switch (code) {
      case 's':
        set_items(last(2));
        return true;
      case 'u':
        set_items(since_mark());
        return true;
      case 'a':
        append(last(1));
        return true;
      case 'e':
        append(since_mark());
        return true;
      default:
        return false;
    }
  }

  bool call(char code) {
    switch (code) {
      case 'Q':
        push(storage(as<Sequence>(pop())));
        return true;
      case 'R':
        reduce();
        return true;
      case '\x81':
        make_module();
        return true;
      case 'b':
        build();
        return true;
      default:
        return false;
    }
  }

  // Values and the stack.

  void push(PickledValue value) {
    pickle_.values_.push_back(std::move(value));
    stack_.push_back(static_cast<ValueNumber>(pickle_.values_.size() - 1));
  }
  ValueNumber top() const {
    check_argument(stack_.size() > bottom(), "its pickle takes a value that is not there");
    return stack_.back();
  }
  ValueNumber pop() {
    const auto number = top();
    stack_.pop_back();
    return number;
  }
  std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
  std::vector<ValueNumber> last(std::size_t count) {
    check_argument(stack_.size() - bottom() >= count, "its pickle takes a value that is not there");
    std::vector<ValueNumber> taken(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return taken;
  }
  std::vector<ValueNumber> since_mark() {
    check_argument(!marks_.empty(), "its pickle takes a mark that is not there");
    auto taken = last(stack_.size() - marks_.back());
    marks_.pop_back();
    return taken;
  }
  ValueNumber remembered(std::uint64_t number) const {
    const auto found = memory_.find(number);
    check_argument(found != memory_.end(), "its pickle takes a value that is not there");
    return found->second;
  }

  template <typename Kind>
  const Kind& as(ValueNumber number) const {
    const auto* value = std::get_if<Kind>(&pickle_.values_[number]);
    check_argument(value != nullptr, "its pickle has another kind of value where one is needed");
    return *value;
  }
  template <typename Kind>
  Kind& changed(ValueNumber number) {
    return const_cast<Kind&>(as<Kind>(number));
  }
  ValueNumber item(const Sequence& values, std::size_t place) const {
    check_argument(place < values.items.size(), "its pickle has too few arguments");
    return values.items[place];
  }

  // Instructions.

  std::int64_t long_integer() {
    const auto bytes = input_.byte();
    check_argument(bytes <= 8, "its pickle has a number beyond 64 bits");
    const auto value = input_.number(bytes);
    if (bytes == 0) return 0;
    const auto unused = 64 - 8 * bytes;  // the sign is that of the highest byte given
    return static_cast<std::int64_t>(value << unused) >> unused;
  }
  double real() {
    std::uint64_t bits = 0;
    for (const char c : input_.take(8)) bits = bits << 8U | static_cast<std::uint8_t>(c);
    return std::bit_cast<double>(bits);
  }
  GlobalName global() {
    const auto module = input_.line();
    const auto name = std::string(module) + " " + std::string(input_.line());
    check_argument(is_known(name), "its pickle asks for '", shown(name),
                   "', which weights do not need");
    return {name};
  }
  void set_items(const std::vector<ValueNumber>& items) {
    check_argument(items.size() % 2 == 0, "its pickle has a key without a value");
    auto& dictionary = changed<Dictionary>(top());
    for (std::size_t i = 0; i < items.size(); i += 2) {
      dictionary.items.emplace_back(items[i], items[i + 1]);
    }
  }
  void append(const std::vector<ValueNumber>& items) {
    auto& list = changed<Sequence>(top()).items;
    list.insert(list.end(), items.begin(), items.end());
  }
  StorageName storage(const Sequence& id) const {  // ('storage', type, record, device, elements)
    check_argument(as<std::string>(item(id, 0)) == "storage", "its pickle refers to no storage");
    const auto& record = as<std::string>(item(id, 2));
    check_argument(record.size() <= 200 && record.find('\0') == std::string::npos,
                   "its pickle names a record that cannot be");
    return {element_type(as<GlobalName>(item(id, 1)).name), record, as<std::int64_t>(item(id, 4))};
  }
  void reduce() {
    const auto& arguments = as<Sequence>(pop());
    const auto& name = as<GlobalName>(pop()).name;
    if (name == kOrderedDict) {
      check_argument(arguments.items.empty(), "its pickle fills an OrderedDict in a strange way");
      push(Dictionary{});
    } else if (name == kTensor) {
      push(tensor(arguments));
    } else if (name == kParameter) {
      stack_.push_back(item(arguments, 0));
      as<PickledTensor>(stack_.back());
    } else {
      check_argument(name.starts_with(kListPrefix), "its pickle calls what cannot be called");
      stack_.push_back(item(arguments, 0));
      as<Sequence>(stack_.back());
    }
  }
  PickledTensor tensor(const Sequence& arguments) const {
    const auto& storage = as<StorageName>(item(arguments, 0));
    return {storage,
            {storage.type, numbers(item(arguments, 2)), numbers(item(arguments, 3)),
             as<std::int64_t>(item(arguments, 1))}};
  }
  std::vector<std::int64_t> numbers(ValueNumber sequence) const {
    const auto& items = as<Sequence>(sequence).items;
    check_argument(items.size() <= kMostAxes, "its pickle has a tensor of too many axes");
    std::vector<std::int64_t> values;
    values.reserve(items.size());
    for (const auto number : items) values.push_back(as<std::int64_t>(number));
    return values;
  }
  void make_module() {
    check_argument(
        as<Sequence>(pop()).items.empty() && as<GlobalName>(pop()).name.starts_with(kModulePrefix),
        "its pickle makes an object that is not a module");
    push(ModuleObject{static_cast<ValueNumber>(pickle_.values_.size())});
  }
  void build() {
    const auto state = pop();
    as<Dictionary>(state);
    auto& target = pickle_.values_[top()];
    if (auto* module = std::get_if<ModuleObject>(&target)) {
      module->state = state;
    } else {  // an OrderedDict's own attributes: the versions of the layers
      as<Dictionary>(top());
    }
  }

  PickleInput input_;
  Pickle& pickle_;
  std::vector<ValueNumber> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint64_t, ValueNumber> memory_;
};

Pickle::Pickle(std::string_view bytes) {
  check_argument(bytes.size() <= kLongestPickle, "its pickle is longer than 4 MiB");
  PickleMachine(bytes, *this).run();
}

}  // namespace sotto::weights
