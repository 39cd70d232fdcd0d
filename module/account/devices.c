// SPDX-License-Identifier: GPL-2.0
/*
 * devices.c - the rows of devices.h: a small table that only grows, so that
 * probes find rows without a lock. Each CPU adds to its own: all bios of the
 * machine come here.
 *
 * May touch: its table.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/kdev_t.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "account/devices.h"

/* Every bio looks for its device here; written once a device. */
static u32 device_devs[PCINSPECT_NR_DEVICES] __read_mostly;

struct device_cpu {
	u64 bytes[PCINSPECT_NR_DEVICES][DEVICE_NR_USES];
};

static struct device_cpu __percpu *device_cpus __read_mostly;
static atomic64_t device_lost_bytes = ATOMIC64_INIT(0);

/* The row of a device, PCINSPECT_NR_DEVICES if there is no room. */
static unsigned int device_find(u32 dev)
{
	unsigned int i;

	/* Each bio but a device's first finds its row here. */
	for (i = 0; i < PCINSPECT_NR_DEVICES; i++)
		if (likely(READ_ONCE(device_devs[i]) == dev))
			return i;
	for (i = 0; i < PCINSPECT_NR_DEVICES; i++) {
		u32 now = READ_ONCE(device_devs[i]);

		if (!now)
			now = cmpxchg(&device_devs[i], 0, dev) ?: dev;
		if (now == dev)
			break;
	}
	return i;
}

/*
 * Bytes are being read from or written to the block device with this dev_t.
 * Context: any, never sleeps.
 */
void pcinspect_devices_add(u32 dev, enum pcinspect_device_use use, u64 bytes)
{
	unsigned int row = device_find(dev);

	if (row < PCINSPECT_NR_DEVICES)
		this_cpu_add(device_cpus->bytes[row][use], bytes);
	else
		atomic64_add(bytes, &device_lost_bytes);
}

static struct device_cpu *device_of(int cpu)
{
	return per_cpu_ptr(device_cpus, cpu);
}

static u64 device_sum(unsigned int row, enum pcinspect_device_use use)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu) sum += device_of(cpu)->bytes[row][use];
	return sum;
}

/* Fill in nr_rows, rows and lost_bytes. Context: any. */
void pcinspect_devices_get(struct pcinspect_devices *devices)
{
	unsigned int i;

	devices->nr_rows = 0;
	devices->lost_bytes = atomic64_read(&device_lost_bytes);
	for (i = 0; i < PCINSPECT_NR_DEVICES && READ_ONCE(device_devs[i]); i++) {
		struct pcinspect_device_row *to = &devices->rows[i];

		to->dev_major = MAJOR(device_devs[i]);
		to->dev_minor = MINOR(device_devs[i]);
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
		to->write_log_bytes = device_sum(i, DEVICE_WRITE_LOG);
		devices->nr_rows++;
	}
}

/* Context: process context; no hook is attached. */
void pcinspect_devices_reset(void)
{
	int cpu;

	memset(device_devs, 0, sizeof(device_devs));
	for_each_possible_cpu(cpu)
		memset(device_of(cpu), 0, sizeof(struct device_cpu));
	atomic64_set(&device_lost_bytes, 0);
}

/* What the CPUs' rows take, in bytes. */
size_t pcinspect_devices_memory(void)
{
	return num_possible_cpus() * sizeof(struct device_cpu);
}

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_devices_init(void)
{
	device_cpus = alloc_percpu(struct device_cpu);
	return device_cpus ? 0 : -ENOMEM;
}

/* Context: process context; no hook is attached. */
void pcinspect_devices_exit(void)
{
	free_percpu(device_cpus);
}
