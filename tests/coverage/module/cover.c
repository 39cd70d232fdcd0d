// SPDX-License-Identifier: GPL-2.0-only
/*
 * cover.c - what of pcinspect.ko was executed: a byte for each address of its code that
 * a block begins at. A module of its own, so that it outlives the one it is about.
 *
 * gcc -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc() at the begin of each
 * block; Debian's kernels have no KCOV, so the function is here. tests/coverage/run reads
 * the bytes from debugfs. 6.4 and later (struct module_memory).
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/vmalloc.h>

#define COVER_BYTES (1 << 20)

/* The module's text, and what is freed after its init. */
static struct cover_part {
	unsigned long base;
	struct debugfs_blob_wrapper blob;
} cover_parts[2];

static struct dentry *cover_dir;

void __sanitizer_cov_trace_pc(void);

notrace void __sanitizer_cov_trace_pc(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cover_parts); i++) {
		unsigned long at = _RET_IP_ - READ_ONCE(cover_parts[i].base);
		u8 *bytes = cover_parts[i].blob.data;

		if (at < COVER_BYTES && !bytes[at])
			bytes[at] = 1;
	}
}
EXPORT_SYMBOL_GPL(__sanitizer_cov_trace_pc);

static int cover_module(struct notifier_block *block, unsigned long state, void *data)
{
	struct module *mod = data;

	if (strcmp(mod->name, "pcinspect"))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING) {
		WRITE_ONCE(cover_parts[0].base, (unsigned long)mod->mem[MOD_TEXT].base);
		WRITE_ONCE(cover_parts[1].base, (unsigned long)mod->mem[MOD_INIT_TEXT].base);
	} else if (state == MODULE_STATE_LIVE) {
		/* Somebody else's code may be there next. */
		WRITE_ONCE(cover_parts[1].base, 0);
	}
	return NOTIFY_OK;
}

static struct notifier_block cover_block = { .notifier_call = cover_module };

static int __init cover_init(void)
{
	static const char *const names[] = { "text", "init" };
	unsigned int i;

	cover_dir = debugfs_create_dir("pcinspect_cover", NULL);
	for (i = 0; i < ARRAY_SIZE(cover_parts); i++) {
		cover_parts[i].blob.data = vzalloc(COVER_BYTES);
		cover_parts[i].blob.size = COVER_BYTES;
		if (!cover_parts[i].blob.data)
			return -ENOMEM;
		debugfs_create_blob(names[i], 0400, cover_dir, &cover_parts[i].blob);
	}
	return register_module_notifier(&cover_block);
}
module_init(cover_init);

MODULE_DESCRIPTION("What of pcinspect.ko was executed, for its tests");
MODULE_LICENSE("GPL");
