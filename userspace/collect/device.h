/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * device.h - /dev/pcinspect, and its errors in words.
 */
#ifndef PCINSPECT_DEVICE_H
#define PCINSPECT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

bool device_is_there(void);
int device_open(struct pcinspect_about *about);
const char *device_error_text(int error, uint32_t refusal);
int device_list(int device, unsigned long request,
		struct pcinspect_list *list,
		void (*row)(const struct pcinspect_snapshot *snap, void *arg),
		void *arg);

#endif /* PCINSPECT_DEVICE_H */
