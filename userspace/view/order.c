// SPDX-License-Identifier: GPL-2.0-only
/*
 * order.c - the orders in which files are listed. Pure.
 */
#include <string.h>

#include "view/order.h"

static const struct {
	const char *name;
	enum pcinspect_number number;
} orders[NR_SORTS] = {
	[SORT_TYPED] = { "as typed", PCINSPECT_NR_NUMBERS },
	[SORT_PATH] = { "path", PCINSPECT_NR_NUMBERS },
	[SORT_CACHED] = { "cached", PCINSPECT_CACHED },
	[SORT_ACTIVE] = { "active", PCINSPECT_ACTIVE },
	[SORT_DIRTY] = { "dirty", PCINSPECT_DIRTY },
	[SORT_READ] = { "read", PCINSPECT_DEVICE_BYTES },
	[SORT_WASTED] = { "wasted", PCINSPECT_WASTED_PAGES },
	[SORT_REFAULT] = { "refault", PCINSPECT_REFAULT_PAGES },
};

/* An order in words. Returns its name, NULL: there is none. */
const char *order_name(size_t sort)
{
	return sort < NR_SORTS ? orders[sort].name : NULL;
}

/* Is what an order goes by known of a file? */
bool order_known(const struct file *file, enum file_order sort)
{
	return sort < SORT_CACHED || number_known(file, orders[sort].number);
}

/**
 * order_compare() - which of two files comes first
 * @a: one
 * @b: the other
 * @sort: order; largest first, what is unknown last
 *
 * Return: as for qsort(3); 0 also where it is as typed.
 */
int order_compare(const struct file *a, const struct file *b, enum file_order sort)
{
	uint64_t x = 0, y = 0;
	bool known;

	if (sort == SORT_TYPED)
		return 0;
	if (sort == SORT_PATH && a->path && b->path)
		return strcmp(a->path, b->path);
	if (sort == SORT_PATH)
		return !a->path - !b->path;
	known = file_number(a, orders[sort].number, &x);
	if (known != file_number(b, orders[sort].number, &y))
		return known ? -1 : 1;
	return x > y ? -1 : x < y;
}
