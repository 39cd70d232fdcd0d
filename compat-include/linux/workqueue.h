/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/workqueue.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_WORKQUEUE_H
#define PCINSPECT_COMPAT_LINUX_WORKQUEUE_H
#include_next <linux/workqueue.h>

/* 7.2 renamed system_unbound_wq and warns about the old name at run time. */
#ifndef PCINSPECT_HAVE_SYSTEM_DFL_WQ
#define system_dfl_wq system_unbound_wq
#endif

#endif
