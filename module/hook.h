/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hook.h - the one table of everything the module attaches to the kernel.
 */
#ifndef PCINSPECT_HOOK_H
#define PCINSPECT_HOOK_H

#include <linux/types.h>

struct tracepoint;

/**
 * struct pcinspect_hook - one tracepoint and our probe on it
 * @name: tracepoint, as the kernel calls it
 * @probe: function with the tracepoint's prototype (checked at build time by
 *	check_trace_callback_type_NAME() beside the probe)
 * @purpose: what is unknown without it
 * @tp: found at load, NULL if this kernel has none
 * @attached: registered now
 * @err: why registering failed, 0 if it did not
 */
struct pcinspect_hook {
	const char *name;
	void *probe;
	const char *purpose;
	struct tracepoint *tp;
	bool attached;
	int err;
};

extern struct pcinspect_hook pcinspect_hooks_filemap[];
extern const unsigned int pcinspect_nr_hooks_filemap;

void pcinspect_hooks_find(void);
void pcinspect_hooks_attach(void);
void pcinspect_hooks_detach(void);
const struct pcinspect_hook *pcinspect_hook_get(unsigned int i);
bool pcinspect_hooks_attached(void);

#endif /* PCINSPECT_HOOK_H */
