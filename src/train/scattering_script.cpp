#include "train/scattering_script.h"

namespace sotto::train {

// The same steps, in the same order, as src/features/: see there for what they mean. `to(7)` is to
// double precision: scripts that are not compiled by Python know no names of types.
const char* const kScatteringScript = R"(
def wavelet_period(self, size: int, halvings: int):
    kept = size >> halvings
    first_cut = size >> (halvings + 1)
    k = torch.arange(size)
    return torch.logical_or(k < first_cut, k >= first_cut + size - kept).to(7)

def wavelet_waves(self, re, im, sign: float):
    height = re.size(-2)
    width = re.size(-1)
    down = torch.arange(height)
    right = torch.arange(width)
    turns = 2 * 3.141592653589793 * sign
    down_angle = turns / height * ((down[:, None] * down[None, :]) % height).to(7)
    right_angle = turns / width * ((right[:, None] * right[None, :]) % width).to(7)
    down_cos = torch.cos(down_angle).to(re)
    down_sin = torch.sin(down_angle).to(re)
    right_cos = torch.cos(right_angle).to(re)
    right_sin = torch.sin(right_angle).to(re)
    row_re = torch.matmul(re, right_cos) - torch.matmul(im, right_sin)
    row_im = torch.matmul(re, right_sin) + torch.matmul(im, right_cos)
    return (torch.matmul(down_cos, row_re) - torch.matmul(down_sin, row_im),
            torch.matmul(down_cos, row_im) + torch.matmul(down_sin, row_re))

def wavelet_fold(self, values, halvings: int):
    times = 1 << halvings
    height = values.size(-2) // times
    width = values.size(-1) // times
    return values.reshape([-1, times, height, times, width]).sum(3).sum(1)

def wavelet_torus(self, height: int, width: int, scale: int, angle: int, angles: int, wave: float):
    pi = 3.141592653589793
    deviation = 0.8 * 2.0 ** scale
    slant = 4.0 / angles
    turn = (int(angles - angles / 2.0 - 1) - angle) * pi / angles
    y = torch.arange(-2 * height, 3 * height).to(7)[:, None]
    x = torch.arange(-2 * width, 3 * width).to(7)[None, :]
    along = y * torch.cos(turn) + x * torch.sin(turn)
    across = x * torch.cos(turn) - y * torch.sin(turn)
    square = along * along + slant * slant * across * across
    envelope = torch.exp(square / (-2 * deviation * deviation))
    envelope = envelope * (slant / (2 * pi * deviation * deviation))
    phase = along * (wave * 0.75 * pi / 2.0 ** scale)
    re = (envelope * torch.cos(phase)).reshape([5, height, 5, width]).sum(2).sum(0)
    im = (envelope * torch.sin(phase)).reshape([5, height, 5, width]).sum(2).sum(0)
    return re, im

def wavelet_spectrum(self, height: int, width: int, scale: int, angle: int, angles: int):
    re, im = self.wavelet_torus(height, width, scale, angle, angles, 1.0)
    envelope, nothing = self.wavelet_torus(height, width, scale, angle, angles, 0.0)
    total = envelope.sum()
    mean_re = re.sum() / total
    mean_im = im.sum() / total
    spectrum, nothing = self.wavelet_waves(re - mean_re * envelope, im - mean_im * envelope, -1.0)
    return spectrum

def wavelet_low(self, spectrum, halvings: int):
    rows = self.wavelet_period(spectrum.size(0), halvings)
    columns = self.wavelet_period(spectrum.size(1), halvings)
    return self.wavelet_fold(spectrum * rows[:, None] * columns[None, :], halvings)[0]

def wavelet_averages(self, length: int, scales: int, level: int):
    pi = 3.141592653589793
    deviation = 0.8 * 2.0 ** (scales - 1)
    u = torch.arange(-2 * length, 3 * length).to(7)
    lobe = torch.exp(u * u / (-2 * deviation * deviation)) / (2.5066282746310002 * deviation)
    lobe = lobe.reshape([5, length]).sum(0)
    k = torch.arange(length)
    angle = 2 * pi / length * ((k[:, None] * k[None, :]) % length).to(7)
    spectrum = torch.matmul(torch.cos(angle), lobe) * self.wavelet_period(length, level)
    size = length >> level
    step = 1 << (scales - level)
    maps = (length >> scales) - 2
    places = (torch.arange(maps) + 1)[:, None] * step - torch.arange(size)[None, :]
    turn = 2 * pi / size * ((places[:, :, None] * k[None, None, :]) % size).to(7)
    return torch.matmul(torch.cos(turn), spectrum) / size

def wavelet_average(self, signal, height: int, width: int, scales: int, level: int):
    rows = self.wavelet_averages(height, scales, level).to(signal)
    columns = self.wavelet_averages(width, scales, level).to(signal)
    return torch.matmul(torch.matmul(rows, signal), columns.t())

def wavelet_filter(self, re, im, spectrum, halvings: int):
    count = float(re.size(-2) * re.size(-1))
    psi = (spectrum / count).to(re)
    low_re = self.wavelet_fold(re * psi, halvings)
    low_im = self.wavelet_fold(im * psi, halvings)
    wave_re, wave_im = self.wavelet_waves(low_re, low_im, 1.0)
    return torch.sqrt(wave_re * wave_re + wave_im * wave_im)

def wavelet_mirror(self, size: int, padded: int):
    before = (padded - size) // 2
    period = 2 * (size - 1)
    place = (torch.arange(padded) - before) % period
    return torch.minimum(place, period - place)

def scattering(self, x, scales: int, angles: int, order: int):
    unit = 1 << scales
    height = ((x.size(2) + unit) // unit + 1) * unit
    width = ((x.size(3) + unit) // unit + 1) * unit
    signal = x.reshape([-1, x.size(2), x.size(3)])
    signal = signal.index_select(1, self.wavelet_mirror(x.size(2), height).to(x.device))
    signal = signal.index_select(2, self.wavelet_mirror(x.size(3), width).to(x.device))
    re, im = self.wavelet_waves(signal, torch.zeros_like(signal), -1.0)
    first = [self.wavelet_average(signal, height, width, scales, 0)]
    second = first[1:]
    for scale in range(scales):
        for angle in range(angles):
            psi = self.wavelet_spectrum(height, width, scale, angle, angles)
            wave = self.wavelet_filter(re, im, psi, scale)
            first.append(self.wavelet_average(wave, height, width, scales, scale))
            if order > 1 and scale + 1 < scales:
                wave_re, wave_im = self.wavelet_waves(wave, torch.zeros_like(wave), -1.0)
                for coarser in range(scale + 1, scales):
                    for other in range(angles):
                        psi = self.wavelet_spectrum(height, width, coarser, other, angles)
                        psi = self.wavelet_low(psi, scale)
                        again = self.wavelet_filter(wave_re, wave_im, psi, coarser - scale)
                        second.append(
                            self.wavelet_average(again, height, width, scales, coarser))
    maps = torch.stack(first + second, 1)
    return maps.reshape([x.size(0), -1, maps.size(2), maps.size(3)])
)";

std::string scattering_expression(const models::ScatteringImpl& layer) {
  const auto& options = layer.transform().options();
  return "self.scattering(x, " + std::to_string(options.scales) + ", " +
         std::to_string(options.angles) + ", " + std::to_string(options.order) + ")";
}

}  // namespace sotto::train
