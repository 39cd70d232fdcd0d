// SPDX-License-Identifier: GPL-2.0-only
/*
 * count.c - load a trace through libkshark and say what the plugin has read.
 *
 * Why: whether the plugin reads every event of every stream (a buffer instance
 * is a stream of its own) can be told without a screen.
 * usage: count PLUGIN.so TRACE.dat
 * Prints "sample N", "ra_window N", "refault N", "fsync N", over all streams,
 * and the name of each inode's row.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <libkshark.h>
#include <libkshark-plugin.h>
#include <libkshark-tepdata.h>

#include "../../plugins/kernelshark/pcinspect.h"

static const char *const names[PCINSPECT_KS_KINDS] = {
	"sample", "ra_window", "refault", "fsync"
};

int main(int argc, char **argv)
{
	struct kshark_context *ctx = NULL;
	struct kshark_plugin_list *plugin;
	struct kshark_entry **rows = NULL;
	size_t (*count)(int sd, int kind);
	ssize_t n = 0, n_pids;
	int *streams, *pids;
	int sd, kind, i, turn;
	size_t sum;

	if (argc != 3 || !kshark_instance(&ctx))
		return 2;
	plugin = kshark_register_plugin(ctx, "pcinspect", argv[1]);
	if (!plugin || !plugin->process_interface) {
		fprintf(stderr, "%s is no plugin\n", argv[1]);
		return 1;
	}
	count = (size_t(*)(int, int))dlsym(plugin->handle, "pcinspect_kshark_count");
	sd = kshark_open(ctx, argv[2]);
	if (!count || sd < 0) {
		fprintf(stderr, "cannot open %s\n", argv[2]);
		return 1;
	}
	kshark_tep_init_all_buffers(ctx, sd);
	streams = kshark_all_streams(ctx);
	for (i = 0; i < ctx->n_streams; i++) {
		struct kshark_data_stream *stream =
			kshark_get_data_stream(ctx, streams[i]);

		kshark_register_plugin_to_stream(stream, plugin->process_interface, true);
	}
	/* Twice, as KernelShark does when a plugin is added to what is open. */
	for (turn = 0; turn < 2; turn++) {
		while (n > 0)
			free(rows[--n]);
		free(rows);
		rows = NULL;
		for (i = 0; i < ctx->n_streams; i++)
			kshark_handle_all_dpis(kshark_get_data_stream(ctx, streams[i]),
					       KSHARK_PLUGIN_UPDATE);
		n = kshark_load_all_entries(ctx, &rows);
	}
	for (kind = 0; kind < PCINSPECT_KS_KINDS; kind++) {
		sum = 0;
		for (i = 0; i < ctx->n_streams; i++)
			sum += count(streams[i], kind);
		printf("%s %zu\n", names[kind], sum);
	}
	for (i = 0; i < ctx->n_streams; i++) {
		n_pids = kshark_get_task_pids(ctx, streams[i], &pids);
		for (ssize_t p = 0; p < n_pids; p++) {
			char *comm;

			if (pids[p] < PCINSPECT_KS_FIRST_PID)
				continue;
			comm = kshark_comm_from_pid(streams[i], pids[p]);
			printf("row %d %s\n", pids[p], comm);
			free(comm);
		}
		free(pids);
	}
	kshark_close_all(ctx);
	while (n > 0)
		free(rows[--n]);
	free(rows);
	free(streams);
	kshark_free(ctx);
	return 0;
}
