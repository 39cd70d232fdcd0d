// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices.c - the rows of devices.h: a small table that only grows, so that
 * probes find rows without a lock. Each CPU adds to its own, as all bios of the
 * machine are counted.
 *
 * May touch: its table.
 */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/kdev_t.h>
#include <linux/string.h>

#include "account/devices.h"

struct pcinspect_device_table pcinspect_device_table __read_mostly;

/* Behind the last row. */
#define DEVICE_LOST (PCINSPECT_NR_DEVICES * DEVICE_NR_USES)
#define DEVICE_REFUSED (DEVICE_LOST + 1)
#define DEVICE_BYTES ((DEVICE_REFUSED + 1) * sizeof(u64))

/*
 * Bytes are being read from or written to the block device with this dev_t.
 * Context: any, never sleeps.
 */
void pcinspect_devices_add(u32 dev, enum pcinspect_device_use use, u64 bytes)
{
	const unsigned int first = pcinspect_device_row(dev);
	unsigned int i = first;

	if (likely(pcinspect_devices_count(dev, use, bytes)))
		return;
	/* Its first: the next free row, unless another CPU is as far already. */
	do {
		u32 now = READ_ONCE(pcinspect_device_table.devs[i]);

		/* Only a free one: every bio reads these lines. */
		if (!now)
			now = cmpxchg(&pcinspect_device_table.devs[i], 0, dev) ?:
				      dev;
		if (now == dev)
			break;
		i = (i + 1) % PCINSPECT_NR_DEVICES;
	} while (i != first);
	if (!pcinspect_devices_count(dev, use, bytes) && use < DEVICE_WRITE_FILE)
		this_cpu_add(pcinspect_device_table.bytes[DEVICE_LOST], bytes);
}

/*
 * Bytes that were counted as read past the cache were not: the device refused
 * them. Context: any, never sleeps.
 */
void pcinspect_devices_refuse(u64 bytes)
{
	this_cpu_add(pcinspect_device_table.bytes[DEVICE_REFUSED], bytes);
}

static u64 *device_of(int cpu)
{
	return per_cpu_ptr(pcinspect_device_table.bytes, cpu);
}

static u64 device_sum_at(unsigned int at)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(device_of(cpu)[at]);
	return sum;
}

static u64 device_sum(unsigned int row, enum pcinspect_device_use use)
{
	return device_sum_at(row * DEVICE_NR_USES + use);
}

/* Fill in nr_rows, rows, lost_bytes and refused_bytes. Context: any. */
void pcinspect_devices_get(struct pcinspect_devices *devices)
{
	unsigned int i;

	devices->nr_rows = 0;
	devices->lost_bytes = device_sum_at(DEVICE_LOST);
	devices->refused_bytes = device_sum_at(DEVICE_REFUSED);
	for (i = 0; i < PCINSPECT_NR_DEVICES; i++) {
		u32 dev = READ_ONCE(pcinspect_device_table.devs[i]);
		struct pcinspect_device_row *to =
			&devices->rows[devices->nr_rows];

		if (!dev)
			continue;
		to->dev_major = MAJOR(dev);
		to->dev_minor = MINOR(dev);
		to->file_bytes = device_sum(i, DEVICE_FILE);
		to->other_file_bytes = device_sum(i, DEVICE_OTHER_FILE);
		to->metadata_bytes = device_sum(i, DEVICE_METADATA);
		to->direct_bytes = device_sum(i, DEVICE_DIRECT);
		to->swap_bytes = device_sum(i, DEVICE_SWAP);
		to->unattributed_bytes = device_sum(i, DEVICE_UNATTRIBUTED);
		to->write_file_bytes = device_sum(i, DEVICE_WRITE_FILE);
		to->write_other_file_bytes =
			device_sum(i, DEVICE_WRITE_OTHER_FILE);
		to->write_direct_bytes = device_sum(i, DEVICE_WRITE_DIRECT);
		to->write_swap_bytes = device_sum(i, DEVICE_WRITE_SWAP);
		to->write_log_bytes = device_sum(i, DEVICE_WRITE_LOG);
		devices->nr_rows++;
	}
}

/* Context: process context; no hook is attached. */
void pcinspect_devices_reset(void)
{
	int cpu;

	memset(pcinspect_device_table.devs, 0,
	       sizeof(pcinspect_device_table.devs));
	for_each_possible_cpu(cpu)
		memset(device_of(cpu), 0, DEVICE_BYTES);
}

/* The memory of the CPUs' rows, in bytes. */
size_t pcinspect_devices_memory(void)
{
	return num_possible_cpus() * DEVICE_BYTES;
}

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_devices_init(void)
{
	pcinspect_device_table.bytes = __alloc_percpu(DEVICE_BYTES, sizeof(u64));
	return pcinspect_device_table.bytes ? 0 : -ENOMEM;
}

/* Context: process context; no hook is attached. */
void pcinspect_devices_exit(void)
{
	free_percpu(pcinspect_device_table.bytes);
}
