/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorder.h - trace-cmd at work in an ftrace instance of ours.
 */
#ifndef PCINSPECT_RECORDER_H
#define PCINSPECT_RECORDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "model/report.h"

struct tracefs_instance;

/**
 * struct recorder - a recording under way
 * @instance: where the events go
 * @pid: trace-cmd
 * @hold: closing it ends the recording
 * @ended: trace-cmd ended by itself
 * @buffer_kb: of each CPU
 * @unread_bytes: put into the trace since its buffer was last seen to have room
 * @log: what trace-cmd printed
 * @marker: of the instance, for raw markers
 * @serial: of the last state written
 * @named: files whose path is in the recording
 * @device: /dev/pcinspect, by which the files are held
 */
struct recorder {
	struct tracefs_instance *instance;
	pid_t pid;
	int hold;
	bool ended;
	size_t buffer_kb;
	size_t unread_bytes;
	int log;
	int marker;
	uint32_t serial;
	size_t named;
	int device;
};

int recorder_start(struct recorder *recorder, const char *path,
		   const struct report *report, bool block,
		   int device);
int recorder_state(struct recorder *recorder, const struct report *report);
bool recorder_ended(struct recorder *recorder, const char *path);
int recorder_stop(struct recorder *recorder);

#endif /* PCINSPECT_RECORDER_H */
