/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * devices.h - bytes read from and written to each block device, by what for.
 *
 * The sums of a row are what the device's own counters must have grown by.
 */
#ifndef PCINSPECT_DEVICES_H
#define PCINSPECT_DEVICES_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "uapi/pcinspect.h"

/* enum pcinspect_device_use - what bytes were read or written for */
enum pcinspect_device_use {
	DEVICE_FILE, /* an inode with a ledger */
	DEVICE_OTHER_FILE, /* an inode without one */
	DEVICE_METADATA,
	DEVICE_DIRECT,
	DEVICE_SWAP,
	DEVICE_UNATTRIBUTED,
	DEVICE_WRITE_FILE, /* from here on likewise, but written */
	DEVICE_WRITE_OTHER_FILE,
	DEVICE_WRITE_DIRECT,
	DEVICE_WRITE_SWAP,
	DEVICE_WRITE_LOG,
	DEVICE_NR_USES,
};

/*
 * struct pcinspect_device_table - read by every bio, written once a device
 * @bytes: DEVICE_NR_USES sums for each device, one of what was read from those
 *	that found no row, and one of what was refused, of each CPU's own
 * @devs: whose they are, by hash
 */
struct pcinspect_device_table {
	u64 __percpu *bytes;
	u32 devs[PCINSPECT_NR_DEVICES];
};

extern struct pcinspect_device_table pcinspect_device_table;

/* The row at which a device is looked for first. */
static __always_inline unsigned int pcinspect_device_row(u32 dev)
{
	BUILD_BUG_ON_NOT_POWER_OF_2(PCINSPECT_NR_DEVICES);
	return hash_32(dev, ilog2(PCINSPECT_NR_DEVICES));
}

/*
 * Count bytes of a device that has a row, as each but for its first bio.
 * Context: any, never sleeps. Return: does it have one?
 */
static __always_inline bool
pcinspect_devices_count(u32 dev, enum pcinspect_device_use use, u64 bytes)
{
	const u32 *devs = pcinspect_device_table.devs;
	const unsigned int first = pcinspect_device_row(dev);
	unsigned int i = first;

	do {
		if (likely(READ_ONCE(devs[i]) == dev)) {
			i = i * DEVICE_NR_USES + use;
			this_cpu_add(pcinspect_device_table.bytes[i], bytes);
			return true;
		}
		i = (i + 1) % PCINSPECT_NR_DEVICES;
	} while (i != first);
	return false;
}

void pcinspect_devices_add(u32 dev, enum pcinspect_device_use use, u64 bytes);
void pcinspect_devices_refuse(u64 bytes);
void pcinspect_devices_get(struct pcinspect_devices *devices);
void pcinspect_devices_reset(void);
size_t pcinspect_devices_memory(void);
int pcinspect_devices_init(void);
void pcinspect_devices_exit(void);

#endif /* PCINSPECT_DEVICES_H */
