// A look at the data: many samples on one picture.
#pragma once

#include <cstdint>

#include "data/image.h"
#include "data/labelled_data.h"

namespace sotto::data {

struct SheetOptions {
  std::int64_t rows = 10;     // classes shown, from the first on; no more than there are
  std::int64_t columns = 12;  // samples of each, in the order of the data
  std::int64_t margin = 2;    // pixels around each sample
  std::int64_t zoom = 1;      // pixels along the side of a pixel
};

// Row r shows the first samples of class r; a class with fewer leaves room. The samples themselves
// are on it: it is as private as the data.
// Throws InvalidArgument unless the samples are images (1 or 3, h, w) and the options are positive
// (the margin may be 0) and the sheet's sides within kLargestImageSide.
Image contact_sheet(const LabelledData& data, const SheetOptions& options = {});

}  // namespace sotto::data
