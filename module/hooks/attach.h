/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.h - the one table of everything the module attaches to the kernel.
 */
#ifndef PCINSPECT_ATTACH_H
#define PCINSPECT_ATTACH_H

#include <linux/types.h>

#include "hooks/hook.h"

int pcinspect_hooks_init(void);
void pcinspect_hooks_exit(void);
int pcinspect_hooks_want(u32 users);
void pcinspect_hooks_done(u32 users);
int pcinspect_hooks_settle(void);
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i);
bool pcinspect_hook_uncalled(const struct pcinspect_hook *hook);
u64 pcinspect_hooks_missed(void);
size_t pcinspect_hooks_memory(void);
u64 pcinspect_hooks_stale(void);

#endif /* PCINSPECT_ATTACH_H */
