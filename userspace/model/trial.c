// SPDX-License-Identifier: GPL-2.0-only
/*
 * trial.c - the cost of a run, and the remedy that helps. Touches memory only.
 *
 * Counts decide, never time. Bytes and requests are brought together: a request costs as
 * much as a number of bytes, so that neither is bought with too much of the other. What
 * two runs without any remedy differ by is not believed of one with a remedy either.
 */
#include "model/trial.h"

/* The cost of a request besides its bytes. */
#define REQUEST_BYTES (32 << 10)

/* Of the bytes without any remedy: more than that is too much, in percent. */
#define MOST_MORE 5

/* Of the cost without any remedy: what is less is not worth a word, in percent. */
#define LEAST_SAVED 5

static bool is_on(const struct file *file, const struct device *device)
{
	return file->snap.dev_major == device->row.dev_major &&
	       file->snap.dev_minor == device->row.dev_minor;
}

/* Is a device one of those that the files of a report are on, and were they moved? */
static bool moved_on(const struct report *report, const struct device *device,
		     enum pcinspect_number number, enum pcinspect_number direct)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (!file->gone && is_on(file, device) &&
		    (number_of(file, number) || number_of(file, direct)))
			return true;
	}
	for (i = 0; i < report->nr_gone; i++) {
		const struct file *gone = &report->gone[i];

		if (gone->unmounted && is_on(gone, device) &&
		    (number_of(gone, number) || number_of(gone, direct)))
			return true;
	}
	return false;
}

static void add_requests(struct costs *costs, const struct report *report)
{
	size_t i, k;

	costs->requests_known = true;
	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];
		bool read = moved_on(report, device, PCINSPECT_DEVICE_BYTES,
				     PCINSPECT_DIRECT_READ_BYTES);
		bool written = moved_on(report, device, PCINSPECT_DEVICE_WRITE_BYTES,
					PCINSPECT_DIRECT_WRITE_BYTES);

		if ((read || written) && device->silent)
			costs->requests_known = false;
		/* Others may write meanwhile; a run that does not is none the dearer. */
		costs->requests += (read ? device->read_requests : 0) +
				   (written ? device->write_requests : 0);
	}
	/* A file whose device has no row: which requests were for it nobody knows. */
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !(number_of(file, PCINSPECT_DEVICE_BYTES) +
				    number_of(file, PCINSPECT_DEVICE_WRITE_BYTES)))
			continue;
		for (k = 0; k < report->nr_devices; k++)
			if (report->devices[k].row.dev_major == file->snap.dev_major &&
			    report->devices[k].row.dev_minor == file->snap.dev_minor)
				break;
		if (k == report->nr_devices)
			costs->requests_known = false;
	}
}

/* Bytes, or the pages that stand in for them where no device tells (NFS, btrfs's writes). */
static bool bytes_or_pages(const struct file *file, enum pcinspect_number bytes,
			   enum pcinspect_number direct, bool pages_known, uint64_t pages,
			   uint64_t *to)
{
	uint64_t value;

	*to += number_of(file, direct);
	if (file_number(file, bytes, &value))
		*to += value;
	else
		*to += pages * file->page_size;
	return pages_known || number_known(file, bytes);
}

/* The most that a fault requests: nobody counts it. */
#define FAULT_BYTES 65536

/* Requested bytes are the work that a service has done in its time. */
static void add_asked(struct costs *costs, const struct file *file, uint64_t *faults)
{
	static const enum pcinspect_number asked[] = {
		PCINSPECT_DEMANDED_BYTES, PCINSPECT_WRITE_BYTES,
		PCINSPECT_DIRECT_READ_BYTES, PCINSPECT_DIRECT_WRITE_BYTES,
	};
	size_t i;

	for (i = 0; i < sizeof(asked) / sizeof(*asked); i++)
		costs->asked_bytes += number_of(file, asked[i]);
	costs->asked_known &= number_known(file, PCINSPECT_DEMANDED_BYTES) &
			      number_known(file, PCINSPECT_FAULTS);
	*faults += number_of(file, PCINSPECT_FAULTS);
}

static void add_file(struct costs *costs, const struct file *file)
{
	uint64_t calls = number_of(file, PCINSPECT_FSYNCS_TOTAL);
	uint64_t read = file_inserted(file);
	uint64_t written = number_counted(file, PCINSPECT_INSERTED_WRITE);
	size_t i;

	costs->bytes_known &=
		bytes_or_pages(file, PCINSPECT_DEVICE_BYTES, PCINSPECT_DIRECT_READ_BYTES,
			       number_known(file, PCINSPECT_INSERTED_WRITE) ||
				       number_known(file, PCINSPECT_INSERTED_OTHER),
			       read > written ? read - written : 0, &costs->read_bytes) &
		bytes_or_pages(file, PCINSPECT_DEVICE_WRITE_BYTES, PCINSPECT_DIRECT_WRITE_BYTES,
			       number_known(file, PCINSPECT_WRITTEN_PAGES),
			       number_of(file, PCINSPECT_WRITTEN_PAGES), &costs->written_bytes);
	costs->refault_pages += number_of(file, PCINSPECT_REFAULT_PAGES);
	costs->refault_known &= number_known(file, PCINSPECT_REFAULT_PAGES);
	costs->fsyncs += calls;
	/* Of a file that was only read, on a filesystem whose calls nobody sees, none matter. */
	if (!number_known(file, PCINSPECT_FSYNCS_TOTAL) &&
	    (!number_known(file, PCINSPECT_DIRTIED_PAGES) ||
	     number_of(file, PCINSPECT_DIRTIED_PAGES) ||
	     number_of(file, PCINSPECT_DIRECT_WRITE_BYTES)))
		costs->fsyncs_known = costs->fsync_known = false;
	if (file->nr_fsyncs < calls)
		costs->fsync_known = false;
	for (i = 0; i < file->nr_fsyncs; i++)
		costs->fsync_ns += file->fsyncs[i].duration_ns;
}

/**
 * costs_of() - what a run cost
 * @costs: filled in, but for @left_pages and @status
 * @report: of the run
 * @deleted: files that were deleted meanwhile are CMD's
 */
void costs_of(struct costs *costs, const struct report *report, bool deleted)
{
	uint64_t faults = 0;
	size_t i, k;

	*costs = (struct costs){ .bytes_known = true, .refault_known = true,
				 .fsyncs_known = true, .fsync_known = true,
				 .asked_known = true, .scale = 1 };
	for (i = 0; i < report->nr_files; i++) {
		if (report->files[i].gone)
			continue;
		add_file(costs, &report->files[i]);
		add_asked(costs, &report->files[i], &faults);
	}
	costs->asked_known &= faults * FAULT_BYTES <= costs->asked_bytes / 10;
	/* Files that CMD made and deleted, on the filesystems of the others; all on one that it
	 * unmounted.
	 */
	for (i = 0; deleted && i < report->nr_gone; i++) {
		const struct file *gone = &report->gone[i];

		/* Without a ledger and an insertion: CMD read and wrote none of them. */
		if (!(gone->snap.flags & PCINSPECT_F_LEDGER) &&
		    !number_of(gone, PCINSPECT_INSERTED))
			continue;
		for (k = 0; k < report->nr_files; k++)
			if (report->files[k].snap.dev_major == gone->snap.dev_major &&
			    report->files[k].snap.dev_minor == gone->snap.dev_minor)
				break;
		if (k < report->nr_files || gone->unmounted)
			add_file(costs, gone);
	}
	add_requests(costs, report);
}

/* Read and written, as it is compared. */
double costs_bytes(const struct costs *costs)
{
	return (costs->read_bytes + costs->written_bytes) * costs->scale;
}

static uint64_t total_of(const struct costs *costs, bool requests)
{
	return costs_bytes(costs) +
	       (uint64_t)(requests ? costs->requests * costs->scale * REQUEST_BYTES : 0);
}

/*
 * A service does more in one look than in another: it is compared by what was asked of it.
 * Where that is unknown, so is the answer.
 */
static void scale(const struct costs *base, struct costs *costs)
{
	bool known = base->asked_known && costs->asked_known && costs->asked_bytes;

	costs->scale = known ? (double)base->asked_bytes / costs->asked_bytes : 0;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static enum outcome judge(const struct costs *one, const struct costs *two,
			  const struct costs *with)
{
	bool requests = one->requests_known && two->requests_known && with->requests_known;
	uint64_t base = smaller(total_of(one, requests), total_of(two, requests));
	uint64_t spread = distance(total_of(one, requests), total_of(two, requests));
	uint64_t bytes = smaller(costs_bytes(one), costs_bytes(two)), now = total_of(with, requests);
	uint64_t bytes_spread = distance(costs_bytes(one), costs_bytes(two));
	bool more = costs_bytes(with) > bytes + bytes * MOST_MORE / 100;

	if (!one->bytes_known || !two->bytes_known || !with->bytes_known ||
	    one->scale * two->scale * with->scale <= 0)
		return OUTCOME_UNKNOWN;
	if (more && costs_bytes(with) - bytes > bytes_spread)
		return OUTCOME_COSTS_MORE;
	if (!more && now < base && base - now > spread && base - now >= base * LEAST_SAVED / 100)
		return OUTCOME_HELPS;
	return now > base + spread && now - base >= base * MOST_MORE / 100 ?
		OUTCOME_COSTS_MORE : OUTCOME_NO_DIFFERENCE;
}

/**
 * trial_judge() - which remedies help, and which most
 * @trial: the first two attempts are without any; those that were not applied, or where
 *	CMD failed, are marked
 */
void trial_judge(struct trial *trial)
{
	const struct costs *one = &trial->attempts[0].costs, *two = &trial->attempts[1].costs;
	bool requests = true;
	size_t i;

	trial->best = NO_ATTEMPT;
	for (i = 0; trial->service && i < trial->nr; i++)
		scale(one, &trial->attempts[i].costs);
	for (i = 0; i < trial->nr; i++)
		if (trial->attempts[i].outcome != OUTCOME_NOT_APPLIED &&
		    trial->attempts[i].outcome != OUTCOME_CMD_FAILED)
			requests &= trial->attempts[i].costs.requests_known;
	for (i = 2; i < trial->nr; i++) {
		struct attempt *a = &trial->attempts[i];

		if (a->outcome == OUTCOME_NOT_APPLIED || a->outcome == OUTCOME_CMD_FAILED)
			continue;
		a->outcome = judge(one, two, &a->costs);
		if (a->outcome != OUTCOME_HELPS)
			continue;
		if (trial->best == NO_ATTEMPT ||
		    total_of(&a->costs, requests) <
		    total_of(&trial->attempts[trial->best].costs, requests))
			trial->best = i;
	}
}

/* The result of a remedy, in a word or two. */
const char *outcome_word(enum outcome outcome)
{
	static const char *const words[] = {
		[OUTCOME_BASE] = "as it is",
		[OUTCOME_HELPS] = "helps",
		[OUTCOME_NO_DIFFERENCE] = "no difference",
		[OUTCOME_COSTS_MORE] = "costs more",
		[OUTCOME_CMD_FAILED] = "CMD failed",
		[OUTCOME_NOT_APPLIED] = "not applied",
		[OUTCOME_UNKNOWN] = "unknown",
	};

	return words[outcome];
}
