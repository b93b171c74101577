#!/usr/bin/env python3
"""Compares `sotto budget` with Google's dp-accounting on random runs.

usage: compare_dp_accounting.py SOTTO [--runs N] [--seed S]

Needs the package dp-accounting (scripts/test --slow installs it into a virtual environment). Both compute upper
bounds of the same number, so theirs must not lie below our lower end; and ours must not lie above theirs by more
than the width of our interval.
"""
import argparse
import json
import math
import random
import subprocess
import sys

import dp_accounting
from dp_accounting import pld

RELATIONS = {
    "add-remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace-one": dp_accounting.NeighboringRelation.REPLACE_ONE,
}


def random_run(draw):
    """Losses of a step that are wide enough for their default mesh of 1e-4."""
    def between(low, high):
        return math.exp(draw.uniform(math.log(low), math.log(high)))
    return {
        "rate": between(0.005, 0.5),
        "noise": between(0.7, 4),
        "steps": int(between(1, 2000)),
        "delta": between(1e-9, 1e-3),
        "relation": draw.choice(sorted(RELATIONS)),
    }


def ours(program, run):
    answer = subprocess.run(
        [program, "budget", "--sample-rate", repr(run["rate"]), "-n", repr(run["noise"]), "--steps", str(run["steps"]),
         "-d", repr(run["delta"]), "--adjacency", run["relation"], "--json"],
        check=True, capture_output=True, text=True)
    answer = json.loads(answer.stdout)
    return answer["epsilon_lower"], answer["epsilon"]


def theirs(run):
    accountant = pld.PLDAccountant(RELATIONS[run["relation"]])
    step = dp_accounting.PoissonSampledDpEvent(run["rate"], dp_accounting.GaussianDpEvent(run["noise"]))
    accountant.compose(dp_accounting.SelfComposedDpEvent(step, run["steps"]))
    return accountant.get_epsilon(run["delta"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sotto")
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=20261117)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    faults = 0
    for _ in range(arguments.runs):
        run = random_run(draw)
        lower, upper = ours(arguments.sotto, run)
        peer = theirs(run)
        below = peer < lower * (1 - 1e-7) - 1e-9
        above = upper > peer * (1 + 1e-3) + 1e-6
        faults += below or above
        verdict = "THEIRS BELOW OURS" if below else "OURS TOO HIGH" if above else "agree"
        print(f"q {run['rate']:.5f}  σ {run['noise']:.4f}  steps {run['steps']:5}  δ {run['delta']:.2e}  "
              f"{run['relation']:11}  ours [{lower:.6f}, {upper:.6f}]  theirs {peer:.6f}  {verdict}", flush=True)
    print(f"{arguments.runs} runs, {faults} disagreements")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
