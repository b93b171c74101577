// Functions compiled once for each kind of vector unit; the one that fits the machine is chosen
// when the program starts, so that a binary built here runs everywhere.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SOTTO_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SOTTO_CLONES
#endif
