// SPDX-License-Identifier: GPL-2.0-only
/*
 * device.c - opening /dev/pcinspect, its errors in words.
 * Touches the device and stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect/device.h"
#include "lib/complain.h"

/* Is the module loaded? */
bool device_is_there(void)
{
	return !access(PCINSPECT_DEVICE, F_OK) || (errno != ENOENT && errno != ENOTDIR);
}

/**
 * device_open() - reach the module
 * @about: filled in
 *
 * Complains by itself.
 *
 * Return: a file descriptor, or -1.
 */
int device_open(struct pcinspect_about *about)
{
	int device = open(PCINSPECT_DEVICE, O_RDWR | O_CLOEXEC);

	if (device < 0) {
		if (errno == EACCES || errno == EPERM)
			complain(NULL, "%s: permission denied (run as root)",
				 PCINSPECT_DEVICE);
		else if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
			complain(NULL, "the module is not loaded (modprobe pcinspect; if that fails, pcinspect status says why)");
		else
			complain(NULL, "%s: %s (see dmesg)",
				 PCINSPECT_DEVICE, strerror(errno));
		return -1;
	}
	if (ioctl(device, PCINSPECT_IOC_ABOUT, about) ||
	    about->abi_version != PCINSPECT_ABI_VERSION) {
		complain(NULL, "the loaded module is of another version than this program (install both from one source, then modprobe -r pcinspect; modprobe pcinspect)");
		close(device);
		return -1;
	}
	return device;
}

/**
 * device_error_text() - an ioctl's error in words
 * @error: errno
 * @refusal: enum pcinspect_refusal that came with it
 *
 * Return: what is wrong, and what to do.
 */
const char *device_error_text(int error, uint32_t refusal)
{
	if (error == EOPNOTSUPP || error == ENOSPC) {
		switch (refusal) {
		case PCINSPECT_REFUSE_DIRECTORY:
			return "is a directory (-r descends into it, as in stat -r)";
		case PCINSPECT_REFUSE_SPECIAL:
			return "has no page cache (give a regular file or a block device)";
		case PCINSPECT_REFUSE_HUGETLBFS:
			return "is on hugetlbfs, whose pages are on no LRU list (see HugePages in /proc/meminfo)";
		case PCINSPECT_REFUSE_DAX:
			return "is DAX: its data is memory itself, nothing is cached (n/a)";
		case PCINSPECT_REFUSE_LIMIT:
			return "too many explicit records (untrack some; 1024 at most)";
		}
	}
	if (error == ENOENT)
		return "is not tracked (pcinspect track it first)";
	if (error == EBUSY)
		return "its filesystem is being unmounted or remounted (try again)";
	return strerror(error);
}

/**
 * device_list() - LIST or SCAN, page by page
 * @device: from device_open()
 * @request: PCINSPECT_IOC_LIST or PCINSPECT_IOC_SCAN
 * @list: request and answer; its count is that of all pages
 * @row: called for each record
 * @arg: passed to @row
 *
 * Return: 0, or -1 with errno set.
 */
int device_list(int device, unsigned long request,
		struct pcinspect_list *list,
		void (*row)(const struct pcinspect_snapshot *snap, void *arg),
		void *arg)
{
	const size_t size = 8 << 20;
	uint32_t count = 0;
	char *buffer = malloc(size), *at;
	int rc = -1;

	if (!buffer)
		return -1;
	list->size = sizeof(*list);
	list->buffer = (uintptr_t)buffer;
	list->buffer_size = size;
	do {
		rc = ioctl(device, request, list);
		if (rc)
			break;
		count += list->count;
		for (at = buffer; list->count--;
		     at += ((const struct pcinspect_snapshot *)(void *)at)->record_size)
			row((const struct pcinspect_snapshot *)(void *)at, arg);
	} while (list->cursor);
	list->count = count;
	free(buffer);
	return rc;
}
