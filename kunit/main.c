// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the module that holds every KUnit suite of pcinspect.
 *
 * Why a module of its own: it is never installed with pcinspect; on Debian's
 * kernels KUnit does not exist. Reaches the pure functions of pcinspect.ko
 * through module/kunit_visible.h.
 */
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit tests of pcinspect");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
