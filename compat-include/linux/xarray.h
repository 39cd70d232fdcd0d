/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/xarray.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_XARRAY_H
#define PCINSPECT_COMPAT_LINUX_XARRAY_H
#include_next <linux/xarray.h>

/*
 * xas_get_order() came to 6.1 by a stable update (it is in 6.1.192). Without
 * it the order of the entry at @xas is found as lib/xarray.c does: by counting
 * the sibling slots behind it.
 */
#ifndef PCINSPECT_HAVE_XAS_GET_ORDER
static inline int xas_get_order(struct xa_state *xas)
{
	int order = 0;

	if (!xas->xa_node)
		return 0;
	for (;;) {
		unsigned int slot = xas->xa_offset + (1 << order);

		if (slot >= XA_CHUNK_SIZE)
			break;
		if (!xa_is_sibling(xa_entry(xas->xa, xas->xa_node, slot)))
			break;
		order++;
	}
	return order + xas->xa_node->shift;
}
#endif

#endif
