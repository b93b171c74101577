#!/usr/bin/env python3
"""Compares the scattering transform with kymatio's, to 1e-4.

usage: compare_kymatio.py FEATURES_TESTS

Needs the packages kymatio and scipy (scripts/test --slow installs them into a virtual environment). The test
program writes pictures and their features; kymatio transforms the same pictures.
"""
import os
import subprocess
import sys
import tempfile

import numpy
from kymatio.numpy import Scattering2D

COUNT = 3  # pictures in a file
LARGEST = 1e-4


def difference(path):
    height, width, scales, angles, order = map(int, os.path.basename(path).split("-"))
    values = numpy.fromfile(path, dtype=numpy.float32)
    pixels = COUNT * height * width
    pictures = values[:pixels].reshape(COUNT, height, width)
    theirs = Scattering2D(J=scales, shape=(height, width), L=angles, max_order=order)(pictures)
    return numpy.abs(values[pixels:].reshape(theirs.shape) - theirs).max()


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], "--gtest_brief=1", "--gtest_filter=SlowScattering.*"], check=True,
                       env=dict(os.environ, SOTTO_COMPARE_SCATTERING=folder))
        names = sorted(os.listdir(folder))
        worst = {name: difference(os.path.join(folder, name)) for name in names}
    for name, value in worst.items():
        print("%-16s differs by at most %.1e" % (name, value))
    if not worst or max(worst.values()) > LARGEST:
        sys.exit("compare_kymatio.py: more than %g" % LARGEST)


main()
