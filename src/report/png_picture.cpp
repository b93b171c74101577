#include "report/png_picture.h"

#include <dlfcn.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

// A library that is loaded on demand: librsvg brings some thirty others along, and a command that
// draws nothing should not wait for them.
class Library {
 public:
  explicit Library(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_GLOBAL)) {
    if (handle_ == nullptr) {
      throw std::runtime_error(std::string("PNG pictures need ") + file +
                               " (Debian: librsvg2-2), which cannot be loaded; SVG needs nothing");
    }
  }

  // The function of this name; its type is that of its declaration.
  template <typename Function>
  Function* find(Function* /*declared*/, const char* name) const {
    void* const found = dlsym(handle_, name);
    if (found == nullptr) throw std::runtime_error(std::string(name) + " is not in librsvg");
    return reinterpret_cast<Function*>(found);
  }

 private:
  void* handle_;  // stays loaded: its libraries keep threads and types of their own
};

// NOLINTBEGIN(bugprone-macro-parentheses): what the macro is given are names
struct Renderer {
  Library rsvg{"librsvg-2.so.2"};
  Library cairo{"libcairo.so.2"};
#define SOTTO_FROM(library, function) \
  decltype(&::function) function = library.find<decltype(::function)>(nullptr, #function)
  SOTTO_FROM(rsvg, rsvg_handle_new_from_data);
  SOTTO_FROM(rsvg, rsvg_handle_get_intrinsic_size_in_pixels);
  SOTTO_FROM(rsvg, rsvg_handle_render_document);
  SOTTO_FROM(rsvg, g_object_unref);
  SOTTO_FROM(rsvg, g_error_free);
  SOTTO_FROM(cairo, cairo_image_surface_create);
  SOTTO_FROM(cairo, cairo_surface_status);
  SOTTO_FROM(cairo, cairo_surface_destroy);
  SOTTO_FROM(cairo, cairo_surface_write_to_png_stream);
  SOTTO_FROM(cairo, cairo_create);
  SOTTO_FROM(cairo, cairo_destroy);
#undef SOTTO_FROM
};
// NOLINTEND(bugprone-macro-parentheses)

const Renderer& renderer() {
  static const Renderer instance;
  return instance;
}

template <typename Object, typename Release>
std::unique_ptr<Object, Release> owned(Object* object, Release release) {
  return {object, release};
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
  return CAIRO_STATUS_SUCCESS;
}

std::string message_of(GError* error) {
  if (error == nullptr) return "no reason given";
  std::string message = error->message;
  renderer().g_error_free(error);
  return message;
}

void draw(RsvgHandle* picture, cairo_surface_t* surface, double width, double height) {
  const auto context = owned(renderer().cairo_create(surface), renderer().cairo_destroy);
  const RsvgRectangle all{0, 0, width, height};
  GError* error = nullptr;
  if (!renderer().rsvg_handle_render_document(picture, context.get(), &all, &error)) {
    throw std::runtime_error("the picture cannot be drawn: " + message_of(error));
  }
}

}  // namespace

std::string png_from_svg(const std::string& svg, double scale) {
  constexpr double kLargestSide = 32'000;  // cairo's pictures end at 32767
  const Renderer& call = renderer();
  GError* error = nullptr;
  const auto picture = owned(call.rsvg_handle_new_from_data(
                                 reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error),
                             [&](RsvgHandle* handle) { call.g_object_unref(handle); });
  if (picture == nullptr) throw InvalidArgument("not an SVG picture: " + message_of(error));
  double width = 0;
  double height = 0;
  const bool sized =
      call.rsvg_handle_get_intrinsic_size_in_pixels(picture.get(), &width, &height) != 0;
  check_argument(sized, "the SVG picture has no size in pixels");
  width = std::round(width * scale);
  height = std::round(height * scale);
  check_argument(width >= 1 && height >= 1 && width <= kLargestSide && height <= kLargestSide,
                 "a picture of ", width, " times ", height, " pixels cannot be drawn");
  const auto surface =
      owned(call.cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                            static_cast<int>(height)),
            call.cairo_surface_destroy);
  draw(picture.get(), surface.get(), width, height);
  std::string bytes;
  const auto status = call.cairo_surface_write_to_png_stream(surface.get(), append, &bytes);
  if (status != CAIRO_STATUS_SUCCESS) throw std::runtime_error("the PNG cannot be written");
  return bytes;
}

}  // namespace sotto::report
