// SPDX-License-Identifier: GPL-2.0-only
/*
 * fake.c - the program with a module that is none (fake_module.h), so that its screen can
 * be looked at where no module is: on any terminal, in a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "collect/device.h"
#include "collect/mounts.h"
#include "fake_module.h"

int __wrap_demand_open(void);
bool __wrap_device_is_there(void);
int __wrap_device_open(struct pcinspect_about *about);
char *__wrap_mounts_path(struct libmnt_table *mounts, unsigned int major, unsigned int minor,
			 const char *path);
char *__real_mounts_path(struct libmnt_table *mounts, unsigned int major, unsigned int minor,
			 const char *path);

int __wrap_device_open(struct pcinspect_about *about)
{
	memset(about, 0, sizeof(*about));
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

bool __wrap_device_is_there(void)
{
	return true;
}

int __wrap_demand_open(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

/* Its files (0:0) are where they say they are. */
char *__wrap_mounts_path(struct libmnt_table *mounts, unsigned int major, unsigned int minor,
			 const char *path)
{
	return major || minor ? __real_mounts_path(mounts, major, minor, path) : strdup(path);
}
