// SPDX-License-Identifier: GPL-2.0-only
/*
 * demand.c - requests of all programs to the page cache: counted from the first look until
 * the descriptor is closed, and so one is held open through all ticks of a view.
 *
 * Touches: /dev/pcinspect, whose hooks that attaches.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "collect/demand.h"

/*
 * For demand_read(), to be closed at the end; -1: the module cannot be reached, of which
 * the look itself complains.
 */
int demand_open(void)
{
	return open(PCINSPECT_DEVICE, O_RDWR | O_CLOEXEC);
}

/**
 * demand_read() - the sums of now
 * @counter: from demand_open(); -1: nothing is to be counted
 * @demand: filled in; its size is 0 where nothing is
 */
void demand_read(int counter, struct pcinspect_demand *demand)
{
	*demand = (struct pcinspect_demand){ .size = sizeof(*demand) };
	if (counter < 0 || ioctl(counter, PCINSPECT_IOC_DEMAND, demand))
		memset(demand, 0, sizeof(*demand));
}
