// SPDX-License-Identifier: GPL-2.0-only
/*
 * unsupported.c - all of the module on a kernel that dkms.conf excludes: it
 * does not load.
 *
 * Why: dkms before 3.0.11 cannot skip a kernel without a failure of apt. What
 * pcinspect lacks in this kernel is found by Kbuild.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/stringify.h>

static int __init unsupported_init(void)
{
	pr_err("this kernel is not supported: %s\n",
	       __stringify(PCINSPECT_LACKS));
	return -EOPNOTSUPP;
}
module_init(unsupported_init);

MODULE_DESCRIPTION("pcinspect, on a kernel that it does not support");
MODULE_AUTHOR("The pcinspect developers");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
