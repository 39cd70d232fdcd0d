// SPDX-License-Identifier: GPL-2.0-only
/*
 * fields.c - the tables of the rows of a report: each of their fields once, in the order of
 * docs/pcinspect-report.5. Touches memory only.
 */
#include "model/fields.h"
#include "model/report.h"

/* A number of a row that is a file, and a member that is known if a number of its file is. */
#define NUMBER_FIELD(name, id) \
	FIELD_COMPUTE(name, file, count, number_of(row, PCINSPECT_##id), \
		      number_known(row, PCINSPECT_##id))
#define MEMBER_FIELD(name, type, member, id) \
	FIELD_COMPUTE(name, type, count, row->member, number_known(of, PCINSPECT_##id))

/* --- what was lost ---------------------------------------------------------------- */

FIELD_COMPUTE(lost_inodes, report, count, row->about.lost_inodes + row->skipped,
	      !row->without_module)
FIELD_COMPUTE(lost_records, report, count, row->about.lost_inodes, !row->without_module)
FIELD_COMPUTE(lost_events, report, count,
	      row->counts ? row->counts->missed : row->events_missed,
	      row->counts ? !row->counts->missed_unknown : row->events_open)

#define LOSS(member, ...) \
	FIELD_KEY(report, losses.member, #member, FIELD_IF(report, losses.known), \
		  .unit = PCINSPECT_UNIT_EVENTS, __VA_ARGS__)
#define LOST(name) \
	COUNTER("lost", "What could not be counted since the module was loaded: counters may be too small"), \
	.metric_what = name

static const struct field losses[] = {
	FIELD_GET("inodes", U64, lost_inodes),
	/* Inodes that were skipped in one walk may be met in the next: no counter has them. */
	FIELD_GET(NULL, U64, lost_records, .unit = PCINSPECT_UNIT_EVENTS, LOST("inodes")),
	FIELD_GET("events", U64, lost_events),
	LOSS(windows, LOST("windows")),
	LOSS(ledgers, LOST("ledgers")),
	LOSS(dirty_times, LOST("dirty_times")),
	LOSS(frames, LOST("frames")),
	LOSS(probes_missed, LOST("probes_missed")),
	FIELD_KEY(report, losses.device_bytes, "device_bytes", FIELD_IF(report, losses.known),
		  .unit = PCINSPECT_UNIT_BYTES,
		  COUNTER("lost_device",
			  "Read from devices for which there was no room, since the module was loaded")),
	LOSS(hooks_missing, METRIC("hooks_missing",
				   "Hooks that this kernel lacks: what they count is left out")),
};

const struct fields loss_fields = FIELDS(losses);

static const struct field written[] = {
	FIELD_KEY(report, written_file_pages, "file_pages"),
	FIELD_KEY(report, written_other_pages, "other_pages"),
};

const struct fields written_fields = FIELDS(written);

/* --- devices ---------------------------------------------------------------------- */

FIELD_COMPUTE(device_read, device, count, row->read.bytes, !row->silent)
FIELD_COMPUTE(device_written, device, count, row->written.bytes, !row->silent)
FIELD_COMPUTE(read_passed_on, device, count, device_passed_on(row, false),
	      row->layered && !row->silent)
FIELD_COMPUTE(write_passed_on, device, count, device_passed_on(row, true),
	      row->layered && !row->silent)

static const struct field devices[] = {
	FIELD_AS(device, row.dev_major, "dev", DEV),
	FIELD_AS(device, name, "name", CHARS),
	FIELD_GET("read_bytes", U64, device_read),
	FIELD_KEY(device, row.file_bytes, "file_bytes"),
	FIELD_KEY(device, row.other_file_bytes, "other_file_bytes"),
	FIELD_KEY(device, row.metadata_bytes, "metadata_bytes"),
	FIELD_KEY(device, row.swap_bytes, "swap_bytes"),
	FIELD_KEY(device, row.unattributed_bytes, "unattributed_bytes"),
	FIELD(device, gone_bytes),
	FIELD_KEY(device, gone_write_bytes, "write_gone_bytes"),
	FIELD_KEY(device, row.direct_bytes, "direct_bytes"),
	FIELD_GET("written_bytes", U64, device_written),
	FIELD_KEY(device, row.write_file_bytes, "write_file_bytes"),
	FIELD_KEY(device, row.write_other_file_bytes, "write_other_file_bytes"),
	FIELD_KEY(device, row.write_direct_bytes, "write_direct_bytes"),
	FIELD_KEY(device, row.write_swap_bytes, "write_swap_bytes"),
	FIELD_KEY(device, row.write_log_bytes, "write_log_bytes"),
	FIELD_GET("passed_on_bytes", U64, read_passed_on),
	FIELD_GET("write_passed_on_bytes", U64, write_passed_on),
};

const struct fields device_fields = FIELDS(devices);

/* --- audits ----------------------------------------------------------------------- */

FIELD_COMPUTE(audit_dev, audit, text, (const char *)&row->major, row->major || row->minor)
FIELD_COMPUTE(audit_diff, audit, number, row->ours - row->theirs, true)
FIELD_COMPUTE(audit_is_ok, audit, yes, audit_ok(row), true)

static const struct field audits[] = {
	FIELD(audit, what),
	FIELD_GET("dev", DEV, audit_dev),
	FIELD(audit, ours),
	FIELD(audit, theirs),
	FIELD_GET("diff", S64, audit_diff),
	FIELD(audit, slack),
	FIELD(audit, source),
	FIELD_GET("ok", BOOL, audit_is_ok),
};

const struct fields audit_fields = FIELDS(audits);

/* --- files ------------------------------------------------------------------------ */

FIELD_COMPUTE(is_deleted, file, yes, row->snap.flags & PCINSPECT_F_DELETED,
	      !row->gone && !(row->snap.flags & PCINSPECT_F_MAYBE_DELETED))
FIELD_COMPUTE(is_aged, file, yes, row->snap.flags & PCINSPECT_F_AGED, !row->gone && !row->plain)
FIELD_COMPUTE(file_size, file, count, row->snap.size_bytes, !row->gone)
/* Without the module an overlay is all that is seen, not whose the pages are. */
FIELD_COMPUTE(file_dev, file, text, (const char *)&row->snap.dev_major,
	      !row->plain || row->snap.dev_major || row->snap.dev_minor)
FIELD_COMPUTE(file_ino, file, count, row->snap.ino, !row->plain || row->snap.ino)
FIELD_COMPUTE(file_generation, file, count, row->snap.i_generation,
	      !row->plain || row->snap.i_generation)
FIELD_COMPUTE(file_fs, file, text, row->snap.fs, !row->plain || *row->snap.fs)
/* Inode 0 is a number as well. */
FIELD_COMPUTE(replaced_ino, file, count, row->replaced_ino, row->replaced)

/* Which file it is; its sections follow. */
static const struct field files[] = {
	FIELD_AS(file, path, "path", PATH),
	FIELD_AS(file, real_path, "real_path", PATH, .flags = FIELD_OPTIONAL),
	FIELD(file, gone, .flags = FIELD_OPTIONAL),
	FIELD_AS(file, renamed, "renamed_to", PATH, .flags = FIELD_OPTIONAL),
	FIELD(file, replaced, .flags = FIELD_OPTIONAL),
	FIELD_GET("replaced_ino", U64, replaced_ino, .flags = FIELD_OPTIONAL),
	FIELD_GET("dev", DEV, file_dev),
	FIELD_GET("ino", U64, file_ino),
	FIELD_GET("i_generation", U64, file_generation),
	FIELD_GET("fs", TEXT, file_fs),
	FIELD_GET("size_bytes", U64, file_size),
	FIELD_GET("deleted", BOOL, is_deleted),
	FIELD_GET("aged_during_walk", BOOL, is_aged),
};

const struct fields file_fields = FIELDS(files);

NUMBER_FIELD(gone_inserted, INSERTED)
NUMBER_FIELD(gone_removed, REMOVED)
NUMBER_FIELD(gone_demanded, DEMANDED_BYTES)
NUMBER_FIELD(gone_device, DEVICE_BYTES)
NUMBER_FIELD(gone_write, WRITE_BYTES)
NUMBER_FIELD(gone_device_write, DEVICE_WRITE_BYTES)
NUMBER_FIELD(gone_dirtied, DIRTIED_PAGES)
NUMBER_FIELD(gone_written, WRITTEN_PAGES)
NUMBER_FIELD(gone_fsyncs, FSYNCS_TOTAL)

/* Evicted inodes of a filesystem, added up. */
static const struct field gone[] = {
	FIELD_AS(file, snap.dev_major, "dev", DEV),
	FIELD_AS(file, snap.fs, "fs", CHARS),
	FIELD_KEY(file, snap.gone_inodes, "inodes"),
	FIELD_GET("inserted_pages", U64, gone_inserted),
	FIELD_GET("removed_pages", U64, gone_removed),
	FIELD_GET("demanded_bytes", U64, gone_demanded),
	FIELD_GET("device_bytes", U64, gone_device),
	FIELD_GET("write_bytes", U64, gone_write),
	FIELD_GET("device_write_bytes", U64, gone_device_write),
	FIELD_GET("dirtied_pages", U64, gone_dirtied),
	FIELD_GET("written_pages", U64, gone_written),
	FIELD_GET("fsync_calls", U64, gone_fsyncs),
};

const struct fields gone_fields = FIELDS(gone);

/* --- events, settings ------------------------------------------------------------- */

FIELD_ASK(count_path, event_count,
	  (value->text = ((const struct report *)of)->files[row->file].path))

static const struct field event_counts[] = {
	FIELD(event_count, system),
	FIELD_KEY(event_count, name, "event"),
	FIELD_GET("path", PATH, count_path),
	FIELD(event_count, events),
};

const struct fields event_count_fields = FIELDS(event_counts);

static const struct field settings[] = {
	FIELD_AS(setting, path, "path", PATH),
	FIELD(setting, value),
};

const struct fields setting_fields = FIELDS(settings);

/* --- processes -------------------------------------------------------------------- */

MEMBER_FIELD(task_demanded, pcinspect_task, demanded_bytes, DEMANDED_BYTES)
MEMBER_FIELD(task_device, pcinspect_task, device_bytes, DEVICE_BYTES)
MEMBER_FIELD(task_dirtied, pcinspect_task, dirtied_pages, DIRTIED_PAGES)
MEMBER_FIELD(task_throttled, pcinspect_task, throttled_ns / 1000000, THROTTLES)

static const struct field tasks[] = {
	FIELD(pcinspect_task, pid, .flags = FIELD_NOT_ZERO),
	FIELD_AS(pcinspect_task, comm, "comm", COMM),
	FIELD_GET("demanded_bytes", U64, task_demanded),
	FIELD_GET("device_bytes", U64, task_device),
	FIELD(pcinspect_task, inserted_pages),
	FIELD_GET("dirtied_pages", U64, task_dirtied),
	FIELD_GET("throttled_ms", U64, task_throttled),
};

const struct fields task_fields = FIELDS(tasks);

static const struct field dirtiers[] = {
	FIELD(pcinspect_task, pid, .flags = FIELD_NOT_ZERO),
	FIELD_AS(pcinspect_task, comm, "comm", COMM),
	FIELD_KEY(pcinspect_task, dirtied_pages, "pages"),
};

const struct fields dirtier_fields = FIELDS(dirtiers);

FIELD_ASK(evictor_path, pcinspect_culprit, row->inferred != CULPRIT_OTHERS &&
	  (value->text = report_name(of, row)))
FIELD_COMPUTE(evictor_inferred, pcinspect_culprit, yes, row->inferred,
	      row->inferred != CULPRIT_OTHERS)

static const struct field evictors[] = {
	FIELD_GET("path", PATH, evictor_path),
	FIELD(pcinspect_culprit, pid, .flags = FIELD_NOT_ZERO),
	FIELD_AS(pcinspect_culprit, comm, "comm", COMM),
	FIELD(pcinspect_culprit, pages),
	FIELD_GET("inferred", BOOL, evictor_inferred),
};

const struct fields evictor_fields = FIELDS(evictors);

FIELD_COMPUTE(remover_how, pcinspect_culprit, text, pcinspect_remover_op_word(row->remover_op),
	      row->inferred != CULPRIT_OTHERS)
FIELD_COMPUTE(remover_pid, pcinspect_culprit, count, row->pid,
	      row->inferred != CULPRIT_OTHERS)

static const struct field removers[] = {
	FIELD_GET("how", TEXT, remover_how),
	FIELD_GET("pid", U64, remover_pid),
	FIELD_AS(pcinspect_culprit, comm, "comm", COMM),
	FIELD(pcinspect_culprit, pages),
};

const struct fields remover_fields = FIELDS(removers);

/* --- fsync calls ------------------------------------------------------------------ */

FIELD_COMPUTE(fsync_kind, pcinspect_fsync, text,
	      pcinspect_fsync_kind_word(pcinspect_fsync_kind(row)), true)
FIELD_COMPUTE(fsync_limit, pcinspect_fsync, text,
	      row->splits_at_limit ? "max_sectors" : "unknown", row->splits)
FIELD_COMPUTE(fsync_shared, pcinspect_fsync, yes, row->flags & PCINSPECT_FSYNC_SHARED, true)

#define NEEDS_REQUESTS .needs = PCINSPECT_FSYNC_REQUESTS
#define NEEDS_SPLITS NEEDS_REQUESTS, .unless = PCINSPECT_FSYNC_NO_SPLITS

static const struct field fsyncs[] = {
	FIELD(pcinspect_fsync, time_ns),
	FIELD(pcinspect_fsync, pid),
	FIELD_AS(pcinspect_fsync, comm, "comm", COMM),
	FIELD(pcinspect_fsync, duration_ns),
	FIELD(pcinspect_fsync, dirty_at_entry_pages, .needs = PCINSPECT_FSYNC_DIRTY),
	FIELD(pcinspect_fsync, written_pages, .unless = PCINSPECT_FSYNC_NO_WRITTEN),
	FIELD(pcinspect_fsync, requests, NEEDS_REQUESTS),
	FIELD(pcinspect_fsync, request_bytes, NEEDS_REQUESTS),
	FIELD(pcinspect_fsync, max_sectors_bytes, .flags = FIELD_NOT_ZERO),
	FIELD(pcinspect_fsync, splits, NEEDS_SPLITS),
	FIELD(pcinspect_fsync, splits_at_limit, NEEDS_SPLITS),
	FIELD_GET("limited_by", TEXT, fsync_limit, NEEDS_SPLITS),
	FIELD_GET("kind", TEXT, fsync_kind),
	FIELD(pcinspect_fsync, writeback_at_entry_pages, .needs = PCINSPECT_FSYNC_WRITEBACK),
	FIELD(pcinspect_fsync, rewritten_tail_pages, .needs = PCINSPECT_FSYNC_TAIL),
	FIELD(pcinspect_fsync, data_wait_ns, .unless = PCINSPECT_FSYNC_NO_DATA_WAIT),
	FIELD(pcinspect_fsync, log_wait_ns, .unless = PCINSPECT_FSYNC_NO_LOG_WAIT),
	FIELD_GET("shared", BOOL, fsync_shared),
};

const struct fields fsync_fields =
	FIELDS(fsyncs, .row_flags = offsetof(struct pcinspect_fsync, flags));
