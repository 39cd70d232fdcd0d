// SPDX-License-Identifier: GPL-2.0-only
/* test_readers.c - who had files read between two ticks: by CPU, with places that change hands. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/readers.h"
#include "model/readers.h"
#include "test.h"

static struct reader of(unsigned int pid, unsigned long long ino, unsigned long long serial,
			unsigned long long pages)
{
	return (struct reader){ .row = { .pid = pid, .ino = ino, .serial = serial, .pages = pages,
					  .asked_pages = pages / 5, .refault_pages = pages / 10 },
				.major_faults = 10 * pages };
}

/* A file that this process has open; another, and one that is closed. */
static void names(void)
{
	char path[] = "/dev/shm/test_readers.XXXXXX";
	int fd = mkstemp(path);
	struct reader list[] = { of(getpid(), 0, 1, 5), of(getpid(), 0, 2, 5), of(1, 7, 3, 5) };
	struct reader other[] = { of(9, 7, 1, 1) };
	struct readers all = { list, 3, 0 }, others = { other, 1, 0 };
	struct stat st;

	CHECK("a file", fd >= 0 && !fstat(fd, &st));
	list[0].row.ino = st.st_ino;
	list[0].row.dev_major = major(st.st_dev);
	list[0].row.dev_minor = minor(st.st_dev);
	list[1].row = list[0].row;
	list[1].row.ino++;
	other[0].path = path;
	readers_name_as(&all, &others);
	CHECK("as another one has it", !list[0].path && list[2].path);
	readers_name_opened(&all);
	CHECK("as it is open", list[0].path && !strcmp(list[0].path, path));
	CHECK("not another one", !list[1].path);
	free(list[0].path);
	list[0].path = NULL;
	close(fd);
	readers_name_opened(&all);
	CHECK("once it is closed, not", !list[0].path);
	unlink(path);
	free(list[2].path);
}

int main(void)
{
	struct reader was[] = {
		of(1, 10, 1, 100), of(2, 10, 2, 50), of(0, 0, 0, 0), of(1, 10, 1, 7), of(3, 11, 5, 9),
	};
	struct reader is[] = {
		of(1, 10, 1, 130),	/* 30 more */
		of(4, 12, 3, 20),	/* took the place of 2: all of it is new */
		of(2, 10, 4, 0),	/* has a place, and nothing in it */
		of(1, 10, 1, 17),	/* the first on another CPU: 10 more */
		of(3, 11, 5, 9),	/* nothing since */
	};
	struct readers before = { was, 5, 0 }, now = { is, 5, 0 }, none = {};
	struct reader to[5], *by;

	CHECK("two have read", readers_since(&now, &before, READER_READS, to) == 2);
	CHECK("the first, on both CPUs", to[0].row.pid == 1 && to[0].row.pages == 40);
	CHECK("what it had asked for, and read again", to[0].row.asked_pages == 8 &&
	      to[0].row.refault_pages == 4);
	CHECK("one that took a place", to[1].row.pid == 4 && to[1].row.pages == 20);
	CHECK("its faults, whichever CPU it was on", to[0].major_faults == 300);
	CHECK("and of one that was not there", to[1].major_faults == PCINSPECT_UNKNOWN);
	CHECK("of no tick before all is new", readers_since(&now, &none, READER_READS, to) == 3 &&
	      to[0].row.pages == 147);
	is[4].row.pages = 0;
	is[4].row.serial = 6;
	is[4].row.evicted_pages = 5;
	is[2] = is[4];
	is[2].row.evicted_pages = 6;
	CHECK("one has evicted, on both CPUs", readers_since(&now, &before, READER_EVICTS, to) == 1 &&
	      to[0].row.pid == 3 && to[0].row.evicted_pages == 11);
	by = readers_evictor(&now, &was[4]);
	CHECK("of this file", by && by->row.pid == 3);
	free(by);
	CHECK("not of that", !readers_evictor(&now, &was[0]));
	is[2].row.evicted_pages = 0;
	is[2].row.dirtied_pages = 7;
	CHECK("and has dirtied some", readers_since(&now, &before, READER_WRITES, to) == 1 &&
	      to[0].row.dirtied_pages == 7);
	is[2] = of(2, 10, 4, 0);
	is[4] = was[4];
	CHECK("nobody", !readers_since(&before, &before, READER_READS, to) && !readers_since(&none, &now, READER_READS, to));
	is[0].row.refault_pages = PCINSPECT_UNKNOWN;
	CHECK("unknown on one CPU: unknown", readers_since(&now, &before, READER_READS, to) == 2 &&
	      to[0].row.refault_pages == PCINSPECT_UNKNOWN);
	is[0].row.refault_pages = 13;
	is[3].row.refault_pages = PCINSPECT_UNKNOWN;
	CHECK("on the other, too", readers_since(&now, &before, READER_READS, to) == 2 &&
	      to[0].row.refault_pages == PCINSPECT_UNKNOWN);
	names();
	return test_failures != 0;
}
