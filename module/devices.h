/* SPDX-License-Identifier: GPL-2.0 */
/*
 * devices.h - bytes read from each block device, by what they were read for.
 *
 * The sum of a row is what the device's own counter must have grown by.
 */
#ifndef PCINSPECT_DEVICES_H
#define PCINSPECT_DEVICES_H

#include <linux/types.h>

#include "../include/uapi/pcinspect.h"

/* enum pcinspect_device_use - what bytes were read for */
enum pcinspect_device_use {
	DEVICE_FILE, /* an inode with a ledger */
	DEVICE_OTHER_FILE, /* an inode without one */
	DEVICE_METADATA,
	DEVICE_DIRECT,
	DEVICE_UNATTRIBUTED,
	DEVICE_NR_USES,
};

void pcinspect_devices_add(u32 dev, enum pcinspect_device_use use, u64 bytes);
void pcinspect_devices_get(struct pcinspect_devices *devices);
void pcinspect_devices_reset(void);

#endif /* PCINSPECT_DEVICES_H */
