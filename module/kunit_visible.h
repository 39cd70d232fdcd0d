/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kunit_visible.h - export functions to the KUnit module, and only where
 * the kernel has KUnit. On Debian's kernels (KUNIT unset) nothing is exported.
 */
#ifndef PCINSPECT_KUNIT_VISIBLE_H
#define PCINSPECT_KUNIT_VISIBLE_H

#include <linux/build_bug.h>
#include <linux/kconfig.h>

#if IS_ENABLED(CONFIG_KUNIT)
#include <kunit/static_stub.h>
#include <kunit/visibility.h>
#else
/* Uses its argument and makes nothing of it. */
#define EXPORT_SYMBOL_IF_KUNIT(symbol) static_assert(true, #symbol)
/* First in a function: a test may put another in its place. */
#define KUNIT_STATIC_STUB_REDIRECT(function, ...) static_assert(true, #function)
#endif

#endif /* PCINSPECT_KUNIT_VISIBLE_H */
