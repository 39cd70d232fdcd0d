// SPDX-License-Identifier: GPL-2.0
/*
 * devices.c - the rows of devices.h: a small table that only grows, so that
 * probes find and add to rows without a lock.
 *
 * May touch: its table.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/kdev_t.h>
#include <linux/string.h>

#include "account/devices.h"

struct device_row {
	atomic64_t bytes[DEVICE_NR_USES];
} ____cacheline_aligned_in_smp;

/* Every bio looks for its device here; written once a device. */
static u32 device_devs[PCINSPECT_NR_DEVICES] ____cacheline_aligned_in_smp;
static struct device_row device_rows[PCINSPECT_NR_DEVICES];
static atomic64_t device_lost_bytes = ATOMIC64_INIT(0);

static struct device_row *device_find(u32 dev)
{
	unsigned int i;

	for (i = 0; i < PCINSPECT_NR_DEVICES; i++) {
		u32 now = READ_ONCE(device_devs[i]);

		if (!now)
			now = cmpxchg(&device_devs[i], 0, dev) ?: dev;
		if (now == dev)
			return &device_rows[i];
	}
	return NULL;
}

/**
 * pcinspect_devices_add() - bytes are being read from or written to a device
 * @dev: dev_t of the block device
 * @use: what for
 * @bytes: how many
 *
 * Context: any, never sleeps.
 */
void pcinspect_devices_add(u32 dev, enum pcinspect_device_use use, u64 bytes)
{
	struct device_row *row = device_find(dev);

	atomic64_add(bytes, row ? &row->bytes[use] : &device_lost_bytes);
}

/**
 * pcinspect_devices_get() - the rows
 * @devices: nr_rows, rows and lost_bytes are filled in
 *
 * Context: any.
 */
void pcinspect_devices_get(struct pcinspect_devices *devices)
{
	unsigned int i;

	devices->nr_rows = 0;
	devices->lost_bytes = atomic64_read(&device_lost_bytes);
	for (i = 0; i < PCINSPECT_NR_DEVICES && READ_ONCE(device_devs[i]); i++) {
		struct pcinspect_device_row *to = &devices->rows[i];
		const atomic64_t *bytes = device_rows[i].bytes;

		to->dev_major = MAJOR(device_devs[i]);
		to->dev_minor = MINOR(device_devs[i]);
		to->file_bytes = atomic64_read(&bytes[DEVICE_FILE]);
		to->other_file_bytes = atomic64_read(&bytes[DEVICE_OTHER_FILE]);
		to->metadata_bytes = atomic64_read(&bytes[DEVICE_METADATA]);
		to->direct_bytes = atomic64_read(&bytes[DEVICE_DIRECT]);
		to->unattributed_bytes =
			atomic64_read(&bytes[DEVICE_UNATTRIBUTED]);
		to->write_file_bytes = atomic64_read(&bytes[DEVICE_WRITE_FILE]);
		to->write_other_file_bytes =
			atomic64_read(&bytes[DEVICE_WRITE_OTHER_FILE]);
		to->write_direct_bytes =
			atomic64_read(&bytes[DEVICE_WRITE_DIRECT]);
		to->write_log_bytes = atomic64_read(&bytes[DEVICE_WRITE_LOG]);
		devices->nr_rows++;
	}
}

/* Context: process context; no hook is attached. */
void pcinspect_devices_reset(void)
{
	memset(device_devs, 0, sizeof(device_devs));
	memset(device_rows, 0, sizeof(device_rows));
	atomic64_set(&device_lost_bytes, 0);
}
