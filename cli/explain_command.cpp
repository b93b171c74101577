#include <iostream>

#include "cli/explain_output.h"
#include "cli/explain_request.h"
#include "cli/text_layout.h"
#include "core/atomic_file.h"
#include "report/png_picture.h"

namespace sotto::cli {

namespace {

void write_picture(const ExplainRequest& request) {
  const std::string svg = picture(request);
  const bool png = request.plot->extension() == ".png";
  write_file_atomically(*request.plot, png ? report::png_from_svg(svg) : svg);
}

}  // namespace

int explain_command(const Arguments& arguments) {
  const auto request = parse_explain_request(arguments);
  if (!request) return 0;
  if (request->plot) write_picture(*request);
  std::cout << (request->json ? json_text(*request) : human_text(*request));
  if (request->plot && !request->json) {
    std::cout << labelled_paragraph("Picture", request->plot->string());
  }
  return 0;
}

}  // namespace sotto::cli
