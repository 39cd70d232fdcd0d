/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - /dev/pcinspect, and the one way to complain.
 */
#ifndef PCINSPECT_DEVICE_H
#define PCINSPECT_DEVICE_H

#include <stdint.h>

#include "uapi/pcinspect.h"

/* Exit statuses; see pcinspect(1). */
enum {
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_ALL_FAILED = 32,
	EXIT_SOME_FAILED = 64,
	EXIT_UNSUPPORTED = 77,
};

void pcinspect_complain(const char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

int pcinspect_device_open(struct pcinspect_about *about);
const char *pcinspect_open_why(int error);
const char *pcinspect_device_why(int error, uint32_t refusal);
int pcinspect_device_list(int device, unsigned long request,
			  struct pcinspect_list *list, void **rows);

#endif /* PCINSPECT_DEVICE_H */
