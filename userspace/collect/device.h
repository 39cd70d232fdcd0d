/* SPDX-License-Identifier: GPL-2.0 */
/*
 * device.h - /dev/pcinspect, and its errors in words.
 */
#ifndef PCINSPECT_DEVICE_H
#define PCINSPECT_DEVICE_H

#include <stdint.h>

#include "uapi/pcinspect.h"

int pcinspect_device_open(struct pcinspect_about *about);
const char *pcinspect_open_why(int error);
const char *pcinspect_device_why(int error, uint32_t refusal);
int pcinspect_device_list(int device, unsigned long request,
			  struct pcinspect_list *list,
			  void (*row)(const struct pcinspect_snapshot *snap, void *arg),
			  void *arg);

#endif /* PCINSPECT_DEVICE_H */
