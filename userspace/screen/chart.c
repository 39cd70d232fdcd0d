// SPDX-License-Identifier: GPL-2.0-only
/*
 * chart.c - cached, hits, inserted and dirty over time, for each file of the screen.
 *
 * A value that a tick did not have is unknown and drawn as such; the past of an entry begins
 * anew with another inode. Touches memory.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "screen/chart.h"

static uint64_t now_of(const struct file *file, enum pcinspect_number number)
{
	uint64_t value;

	return file_number(file, number, &value) ? value : CHART_UNKNOWN;
}

/* The increase since the tick before. */
static uint64_t since(const struct file *file, const struct file *before,
		      enum pcinspect_number number)
{
	uint64_t now, then;

	return before && file_number(file, number, &now) && file_number(before, number, &then) &&
	       now >= then ? now - then : CHART_UNKNOWN;
}

/*
 * Bytes that reads were given and that no device had to be asked for. At least: what
 * the device gave may have been more than was missed (readahead), and some of what
 * was given were holes.
 */
static uint64_t hits(const struct file *file, const struct file *before)
{
	uint64_t demanded = since(file, before, PCINSPECT_DEMANDED_BYTES);
	uint64_t device = since(file, before, PCINSPECT_DEVICE_BYTES);
	uint64_t holes = since(file, before, PCINSPECT_HOLE_PAGES);

	if (demanded == CHART_UNKNOWN || device == CHART_UNKNOWN || holes == CHART_UNKNOWN)
		return CHART_UNKNOWN;
	device += holes * file->page_size;
	return demanded > device ? demanded - device : 0;
}

static void add_sample(struct chart_past *past, const struct file *file, const struct file *before)
{
	struct chart_sample *sample;

	if (past->id != file->snap.id)
		past->nr = 0;
	past->id = file->snap.id;
	past->newest = (past->newest + 1) % CHART_TICKS;
	if (past->nr < CHART_TICKS)
		past->nr++;
	sample = &past->samples[past->newest];
	sample->numbers[CHART_CACHED] = now_of(file, PCINSPECT_CACHED);
	sample->numbers[CHART_DIRTY] = now_of(file, PCINSPECT_DIRTY);
	sample->numbers[CHART_INSERTED] = since(file, before, PCINSPECT_INSERTED);
	sample->numbers[CHART_HITS] = hits(file, before);
}

/* A tick is complete: keep what it says of every file. */
void chart_take(struct chart_history *history, const struct watch *watch)
{
	const struct report *report = &watch->report;
	size_t i;

	if (history->nr_files < report->nr_files) {
		history->files =
			alloc_array(history->files, report->nr_files, sizeof(*history->files));
		while (history->nr_files < report->nr_files)
			history->files[history->nr_files++] = NULL;
	}
	for (i = 0; i < report->nr_files; i++) {
		if (report->files[i].gone)
			continue;
		if (!history->files[i])
			history->files[i] = alloc_zero(1, sizeof(**history->files));
		add_sample(history->files[i], &report->files[i], watch_before(watch, i));
	}
}

void chart_free(struct chart_history *history)
{
	while (history->nr_files)
		free(history->files[--history->nr_files]);
	free(history->files);
	history->files = NULL;
}

/**
 * chart_cells() - put ticks in cells
 * @past: of the file, or NULL
 * @number: which
 * @ticks: of a cell
 * @cells: filled in, the last is the newest; a state is the cell's last, what came is
 *	its sum; CHART_UNKNOWN where no tick of the cell told
 * @n: how many
 *
 * Return: how many cells have ticks.
 */
size_t chart_cells(const struct chart_past *past, enum chart_number number,
		   unsigned int ticks, uint64_t *cells, size_t n)
{
	bool sum = number == CHART_HITS || number == CHART_INSERTED;
	size_t age, cell, used = 0;

	for (cell = 0; cell < n; cell++)
		cells[cell] = CHART_UNKNOWN;
	/* From the newest back: the first state that is met is the last of its cell. */
	for (age = 0; past && age < past->nr && age / ticks < n; age++) {
		size_t at = (past->newest + CHART_TICKS - age) % CHART_TICKS;
		uint64_t value = past->samples[at].numbers[number], *to;

		used = age / ticks + 1;
		to = &cells[n - used];
		if (value == CHART_UNKNOWN)
			continue;
		if (*to == CHART_UNKNOWN)
			*to = value;
		else if (sum)
			*to += value;
	}
	return used;
}
