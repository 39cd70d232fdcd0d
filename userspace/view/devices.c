// SPDX-License-Identifier: GPL-2.0-only
/*
 * devices.c - the use of the devices of a run, and the counts of files that
 * are no more, as text. Touches stdout.
 */
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "view/text.h"

/* A sum and its parts; those that are 0 are left out, but the first. */
struct part {
	const char *name;
	uint64_t bytes;
};

#define UNKNOWN UINT64_MAX

static void part_text(char *out, size_t size, uint64_t bytes, bool plain)
{
	if (bytes == UNKNOWN)
		strcpy(out, "?");
	else if (plain)
		snprintf(out, size, "%ju", (uintmax_t)bytes);
	else
		size_text(out, size, bytes);
}

static void print_parts(const struct part *parts, size_t n, bool plain)
{
	char text[32];
	size_t k;

	for (k = 0; k < n; k++) {
		if (k > 1 && !parts[k].bytes)
			continue;
		part_text(text, sizeof(text), parts[k].bytes, plain);
		printf("%s %s %s", k > 1 ? "," : k ? " =" : "", parts[k].name, text);
	}
	putchar('\n');
}

/* A process that reads or writes more than the run may be the cause. */
static void print_others(const struct report *report, const struct output *out)
{
	uint64_t others = 0, own = 0;
	char theirs[32], ours[32];
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct pcinspect_device_row *row = &report->devices[i].row;

		others += row->other_file_bytes + row->write_other_file_bytes;
		own += row->file_bytes + row->write_file_bytes;
	}
	if (others <= own)
		return;
	part_text(theirs, sizeof(theirs), others, out->bytes);
	part_text(ours, sizeof(ours), own, out->bytes);
	printf("note: other files account for %s, files of the run for %s\n", theirs, ours);
}

/* Less a part that was read at another moment, and may be more. */
static uint64_t without(uint64_t bytes, uint64_t part)
{
	return bytes > part ? bytes - part : 0;
}

/* The use of each device of a run. */
void view_devices(const struct report *report, const struct output *out)
{
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];
		const struct pcinspect_device_row *row = &device->row;
		const struct part reads[] = {
			{ "read", device->silent ? UNKNOWN : device->read.bytes },
			{ "files", without(row->file_bytes, device->gone_bytes) },
			{ "gone files", device->gone_bytes },
			{ "other files", row->other_file_bytes },
			{ "metadata", row->metadata_bytes },
			{ "direct", row->direct_bytes },
			{ "swap", row->swap_bytes },
			{ "unattributed", row->unattributed_bytes },
			{ "passed on", device->layered && !device->silent ?
			  device_passed_on(device, false) : 0 },
		};
		const struct part writes[] = {
			{ "written", device->silent ? UNKNOWN : device->written.bytes },
			{ "files", without(row->write_file_bytes, device->gone_write_bytes) },
			{ "gone files", device->gone_write_bytes },
			{ "other files", row->write_other_file_bytes },
			{ "direct", row->write_direct_bytes },
			{ "swap", row->write_swap_bytes },
			{ "log and metadata", row->write_log_bytes },
			{ "passed on", device->layered && !device->silent ?
			  device_passed_on(device, true) : 0 },
		};

		printf("%s%s:", i ? "" : "\n", device->name);
		print_parts(reads, sizeof(reads) / sizeof(*reads), out->bytes);
		if (!device->written.bytes && !device->silent)
			continue;
		printf("%s:", device->name);
		print_parts(writes, sizeof(writes) / sizeof(*writes), out->bytes);
	}
	print_others(report, out);
}

/* A number of files that are no more, where it is not 0. */
static void print_of_gone(const struct file *gone, const char *what,
			  enum pcinspect_number number, bool plain)
{
	uint64_t value = number_of(gone, number);
	char text[32];

	if (!number_known(gone, number)) {
		printf(", %s ?", what);
	} else if (value) {
		if (plain || number_rows[number].unit != PCINSPECT_UNIT_BYTES)
			snprintf(text, sizeof(text), "%ju", (uintmax_t)value);
		else
			size_text(text, sizeof(text), value);
		printf(", %s %s", what, text);
	}
}

/**
 * view_gone() - what was counted of files that are no more, and are not listed
 * @report: of a run
 * @out: whether sizes are exact
 */
void view_gone(const struct report *report, const struct output *out)
{
	static const struct {
		const char *what;
		enum pcinspect_number number;
	} parts[] = {
		{ "demanded", PCINSPECT_DEMANDED_BYTES },
		{ "read from the device", PCINSPECT_DEVICE_BYTES },
		{ "written", PCINSPECT_WRITE_BYTES },
		{ "to the device", PCINSPECT_DEVICE_WRITE_BYTES },
		{ "fsync calls", PCINSPECT_FSYNCS_TOTAL },
	};
	size_t i, k;

	for (i = 0; i < report->nr_gone; i++) {
		const struct file *gone = &report->gone[i];
		char inserted[24] = "?";
		uint64_t any = 0;

		for (k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			any |= number_of(gone, parts[k].number);
		if (!any)
			continue;
		if (number_known(gone, PCINSPECT_INSERTED))
			snprintf(inserted, sizeof(inserted), "%ju",
				 (uintmax_t)number_of(gone, PCINSPECT_INSERTED));
		printf("and %ju files of %s %u:%u that are gone: %s pages inserted",
		       (uintmax_t)gone->snap.gone_inodes, gone->snap.fs, gone->snap.dev_major,
		       gone->snap.dev_minor, inserted);
		for (k = 0; k < sizeof(parts) / sizeof(*parts); k++)
			print_of_gone(gone, parts[k].what, parts[k].number, out->bytes);
		putchar('\n');
	}
}
