"""table.py - programs and modules that miscount, each in one place.

Why: an audit that could not see an error is itself an error. Each row is one deliberate
mistake; a guest (guest.py) does a short piece of work with it and asks what the product's
own audits say of it. The tests of the product are not asked.

A row: its name, a file, what stands there once, what is put in its place. With
SURVIVES: no audit can see it, and why; that is true for as long as the guest says so.
With REFUSED: it takes an argument of this function for what it is not, and the module
has to find out before it attaches the probe.
With a table but no work: usage: table.py check (each text stands where it should).
May touch: nothing.
"""
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Mutant:
    """One mistake."""

    def __init__(self, name, file, old, new, survives=None, refused=None):
        self.name, self.file, self.old, self.new = name, file, old, new
        self.survives, self.refused = survives, refused

    def applied(self, text):
        """The file's text with it."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: {self.file} has its text {text.count(self.old)} times")
        return text.replace(self.old, self.new)

    @property
    def of_module(self):
        """Else it is one of the program."""
        return not self.file.startswith("userspace/")


def every(n, then, otherwise=""):
    """C that does something but for each n-th time."""
    return f"{{ static unsigned int nth; if (++nth % {n}) {{ {then} }} {otherwise} }}"


MUTANTS = [
    # --- pages that come and go ----------------------------------------------
    Mutant("insertion, each 1,000th is skipped", "module/hooks/filemap.c",
           "	pcinspect_reads_insert(rec, folio, nr);",
           every(1000, "pcinspect_reads_insert(rec, folio, nr);")),
    Mutant("insertion, a folio counts as one page", "module/account/reads.c",
           "	ledger_add(ledger, pcinspect_inserted(cause), nr);\n	/* It may",
           "	ledger_add(ledger, pcinspect_inserted(cause), 1);\n	/* It may"),
    Mutant("insertion by a write has no cause", "module/account/reads.c",
           "	ledger_add(ledger, pcinspect_inserted(cause), nr);\n	/* It may",
           "	if (cause != PCINSPECT_CAUSE_WRITE)\n"
           "		ledger_add(ledger, pcinspect_inserted(cause), nr);\n	/* It may"),
    Mutant("insertion, sync is async", "module/hooks/readahead.c",
           "	return window_entry(ri, regs, PCINSPECT_CAUSE_SYNC, 1);",
           "	return window_entry(ri, regs, PCINSPECT_CAUSE_ASYNC, 1);"),
    Mutant("removal, each 100th is skipped", "module/records/ledger_who.c",
           "	ledger_add_locked(ledger, PCINSPECT_REMOVED_RECLAIM, by->pages);",
           every(100, "ledger_add_locked(ledger, PCINSPECT_REMOVED_RECLAIM, by->pages);")),
    Mutant("removal, a folio counts as one page", "module/records/ledger_who.c",
           "	ledger_add_locked(ledger, pcinspect_removed(removal), pages);",
           "	ledger_add_locked(ledger, pcinspect_removed(removal), 1);"),
    Mutant("removal, truncation is not counted", "module/records/ledger_who.c",
           "	ledger_add_locked(ledger, pcinspect_removed(removal), pages);",
           "	if (removal != PCINSPECT_REMOVAL_TRUNCATE)\n"
           "		ledger_add_locked(ledger, pcinspect_removed(removal), pages);"),
    Mutant("removal, all is reclaim", "module/account/reads.c",
           "	} else if (pcinspect_in_reclaim()) {\n		removal =",
           "	} else if (true) {\n		removal ="),
    Mutant("reclaim, half of it has no evictor", "module/account/reads.c",
           "	by->pages = nr;\n	pcinspect_ledger_evicted(ledger, by);",
           "	by->pages = nr;\n	" + every(2, "pcinspect_ledger_evicted(ledger, by);")),
    Mutant("removers are counted twice", "module/records/ledger_who.c",
           "		who->pages += pages;\n		break;",
           "		who->pages += 2 * pages;\n		break;"),
    Mutant("refaults are counted twice", "module/account/reads.c",
           "	ledger_add(ledger, PCINSPECT_REFAULT_PAGES, folio_nr_pages(folio));",
           "	ledger_add(ledger, PCINSPECT_REFAULT_PAGES, 2 * folio_nr_pages(folio));"),
    Mutant("refaults, none is counted", "module/account/reads.c",
           "	ledger_add(ledger, PCINSPECT_REFAULT_PAGES, folio_nr_pages(folio));", ""),

    # --- what is read ---------------------------------------------------------
    Mutant("demand, each 10th read is skipped", "module/records/ledger_who.c",
           "	ledger_add_locked(ledger, PCINSPECT_DEMANDED_BYTES, did->demanded_bytes);",
           every(10, "ledger_add_locked(ledger, PCINSPECT_DEMANDED_BYTES, did->demanded_bytes);")),
    Mutant("demand, what another has held is dropped", "module/records/share.c",
           "		share_empty(slot, false);\n		*task", "		share_empty(slot, true);\n		*task"),
    Mutant("demand is counted twice", "module/records/ledger_who.c",
           "	ledger_add_locked(ledger, PCINSPECT_DEMANDED_BYTES, did->demanded_bytes);",
           "	ledger_add_locked(ledger, PCINSPECT_DEMANDED_BYTES,\n			  2 * did->demanded_bytes);"),
    Mutant("a read is no task's", "module/hooks/access.c",
           "	if (share.demanded_bytes || share.device_bytes)\n		pcinspect_ledger_share",
           "	if (share.device_bytes)\n		pcinspect_ledger_share"),
    Mutant("bio, each 50th read is skipped", "module/account/bio.c",
           "	const struct pcinspect_operations *ops = pcinspect_operations_of();\n\n"
           "	if (bio_is_others(bio, ops))",
           "	const struct pcinspect_operations *ops = pcinspect_operations_of();\n\n"
           "	" + every(50, "", "if (!(nth % 50) && bio_op(bio) == REQ_OP_READ) return;") +
           "\n	if (bio_is_others(bio, ops))"),
    Mutant("bio is counted twice", "module/account/bio.c",
           "	else\n		bio_of_any(bio, ops);\n}",
           "	else {\n		bio_of_any(bio, ops);\n		bio_of_any(bio, ops);\n	}\n}"),
    Mutant("direct I/O, reads are writes", "module/account/bio.c",
           "	const bool write = op_is_write(bio_op(bio));\n	struct pcinspect_ledger *ledger = NULL;",
           "	const bool write = !op_is_write(bio_op(bio));\n	struct pcinspect_ledger *ledger = NULL;"),
    Mutant("direct I/O of a file is not the file's", "module/account/bio.c",
           "	if (op)\n		ledger = pcinspect_track_admit((struct inode *)op->file.inode);\n"
           "	/* So that it has a line. */",
           "	/* So that it has a line. */"),
    Mutant("metadata is the file's", "module/account/bio.c",
           "	*bounced = false;\n	*use = DEVICE_METADATA;\n	if (bio->bi_opf & REQ_META)\n		return NULL;",
           "	*bounced = false;\n	*use = DEVICE_METADATA;\n	if (bio->bi_opf & REQ_META)\n"
           "		return op ? (struct inode *)op->file.inode : NULL;",
           survives="the device's row and the file agree; a read that failed is made again, so that more may be read of a file than was inserted"),
    Mutant("file read is counted for the device only", "module/account/bio.c",
           "	ledger_add(ledger, PCINSPECT_DEVICE_BYTES, bytes);",
           every(3, "ledger_add(ledger, PCINSPECT_DEVICE_BYTES, bytes);")),
    Mutant("a CPU's bytes are forgotten", "module/account/devices.c",
           "	for_each_possible_cpu(cpu)\n		sum += READ_ONCE(device_of(cpu)[at]);",
           "	for_each_possible_cpu(cpu)\n		if (cpu)\n			sum += READ_ONCE(device_of(cpu)[at]);"),
    Mutant("swap is a file's", "module/account/bio.c",
           "	return folio_test_swapbacked(folio) && !folio_test_uptodate(folio);",
           "	return false;"),
    Mutant("faults are counted twice", "module/hooks/access.c",
           "		ledger_add(ledger, PCINSPECT_FAULTS, 1);",
           "		ledger_add(ledger, PCINSPECT_FAULTS, 2);"),
    Mutant("windows, each second is not kept", "module/hooks/readahead.c",
           "		pcinspect_ledger_window(ledger, op);",
           every(2, "pcinspect_ledger_window(ledger, op);")),
    Mutant("unused pages, a third is never marked", "module/account/reads.c",
           "	lost = pcinspect_unused_set(ledger->unused, op->run, op->run_pages);",
           "	lost = pcinspect_unused_set(ledger->unused, op->run, 2 * op->run_pages / 3);"),

    # --- what is written ------------------------------------------------------
    Mutant("writeback, a folio begins as one page", "module/account/writes.c",
           "	nr = folio_nr_pages(folio);\n	ops = pcinspect_operations_of();\n"
           "	ledger_add_writeback(ledger, false, nr);",
           "	nr = 1;\n	ops = pcinspect_operations_of();\n"
           "	ledger_add_writeback(ledger, false, nr);"),
    Mutant("writeback, a folio ends as one page", "module/account/writes.c",
           "	this_cpu_add(pcinspect_writes_pages[file], nr);",
           "	this_cpu_add(pcinspect_writes_pages[file], 1);"),
    Mutant("writeback, each 20th end is not the file's", "module/account/writes.c",
           "	if (ledger)\n		ledger_add_writeback(ledger, true, nr);",
           "	if (ledger)\n		" + every(20, "ledger_add_writeback(ledger, true, nr);")),
    Mutant("writeback by fsync is periodic", "module/account/writes.c",
           "		return op->kind == OP_FSYNC   ? PCINSPECT_REASON_FSYNC :",
           "		return op->kind == OP_FSYNC   ? PCINSPECT_REASON_PERIODIC :"),
    Mutant("write bytes are counted twice", "module/account/writes.c",
           "\t\tledger_add(ledger, PCINSPECT_WRITE_BYTES, done);",
           "\t\tledger_add(ledger, PCINSPECT_WRITE_BYTES, 2 * done);"),
    Mutant("dirtied pages are counted twice", "module/account/writes.c",
           "	/* Handed in when the write returns. */\n	top->dirtied += nr;",
           "	/* Handed in when the write returns. */\n	top->dirtied += 2 * nr;"),
    Mutant("dirty pages are of half their age", "module/records/dirty.c",
           "\treturn (u64)(pcinspect_dirty_now() - time) * TICK_NSEC;",
           "\treturn (u64)(pcinspect_dirty_now() - time) * (TICK_NSEC / 2);"),
    Mutant("written bytes of a device, log is left out", "module/account/bio.c",
           "	pcinspect_devices_add(bio->bi_bdev->bd_dev, use, bytes);\n}\n\n"
           "/* The operation that a bio",
           "	if (use != DEVICE_WRITE_LOG)\n"
           "		pcinspect_devices_add(bio->bi_bdev->bd_dev, use, bytes);\n}\n\n"
           "/* The operation that a bio"),
    Mutant("fsync, each second call is lost", "module/account/fsync.c",
           "	pcinspect_ledger_fsync(ledger, open ? &call : NULL);",
           every(2, "pcinspect_ledger_fsync(ledger, open ? &call : NULL);")),
    Mutant("fsync, requests count four times", "module/account/fsync.c",
           "	call->requests += n;\n	call->request_bytes += n * (s64)bytes;",
           "	call->requests += 4 * n;\n	call->request_bytes += 4 * n * (s64)bytes;"),
    Mutant("fsync, requests are half as large", "module/account/fsync.c",
           "	call->requests += n;\n	call->request_bytes += n * (s64)bytes;",
           "	call->requests += n;\n	call->request_bytes += n * (s64)bytes / 2;"),

    # --- who ------------------------------------------------------------------
    Mutant("children are no tasks of a run", "module/hooks/task.c",
           "	if (pcinspect_task_sees_run() && pcinspect_operation_is_member())\n"
           "		pcinspect_operation_join(child);",
           "	if (false)\n		pcinspect_operation_join(child);"),
    Mutant("tasks stay a run's", "module/records/operation.c",
           "			ops->member = false;", "			;"),
    Mutant("threads are processes", "module/records/share.c",
           "		*task = (struct pcinspect_task){ .pid = current->tgid };",
           "		*task = (struct pcinspect_task){ .pid = current->pid };"),

    # --- what is there --------------------------------------------------------
    Mutant("walk, a folio counts as one page", "module/walk/lru.c",
           "			lru_count(st, xas, folio, order);",
           "			lru_count(st, xas, folio, 0);"),
    Mutant("walk, each 100th folio is passed by", "module/walk/lru.c",
           "			lru_count(st, xas, folio, 0);",
           every(100, "lru_count(st, xas, folio, 0);")),
    Mutant("walk, active is inactive", "module/walk/lru.c",
           "		numbers[PCINSPECT_ACTIVE] += nr;", "		numbers[PCINSPECT_INACTIVE] += nr;"),
    Mutant("walk, a generation is read late", "module/walk/lru.c",
           "			pcinspect_lru_age(lru_max_seq(lruvec), gen)] += nr;",
           "			pcinspect_lru_age(lru_max_seq(lruvec) + 1, gen)] += nr;",
           survives="no counter is of one file; machine walks the lists, which are held against the lruvecs' counts"),
    Mutant("walk, dirty folios count as one page", "module/walk/lru.c",
           "		numbers[PCINSPECT_DIRTY] += nr;", "		numbers[PCINSPECT_DIRTY] += 1;"),
    Mutant("walk, folios under writeback are left out", "module/walk/lru.c",
           "		numbers[PCINSPECT_WRITEBACK] += nr;", "		;",
           survives="nothing is under writeback while this guest looks; else cachestat(2)"),
    Mutant("walk, each shadow is one page", "module/walk/lru.c",
           "					1UL << xas_get_order(&xas);", "					2;"),
    Mutant("walk, mapped folios are left out", "module/walk/lru.c",
           "		numbers[PCINSPECT_MAPPED] += nr;", "		;"),
    Mutant("walk, half of a cgroup's pages are no cgroup's", "module/walk/lru.c",
           "		vec->pages += nr;\n	else",
           "		vec->pages += nr / 2 + (nr == 1 && (folio->index & 1));\n	else"),
    Mutant("lists, active is inactive", "module/walk/lists.c",
           "\t\tkind->active = kind->age < 2;",
           "\t\tkind->active = kind->age >= 2;"),
    Mutant("lists, a folio counts as one page", "module/walk/lists.c",
           "\t\t.pages = run->pages,\n",
           "\t\t.pages = 1,\n"),

    # --- the program ----------------------------------------------------------
    Mutant("report, each 3rd file is hidden", "userspace/collect/rows.c",
           "\tfile = report_add(collect->report, NULL);\n\tfile_take(file, row);",
           "\tstatic int nth;\n\tif (!(++nth % 3))\n\t\treturn;\n\tfile = report_add(collect->report, NULL);\n\tfile_take(file, row);"),
    Mutant("report, a row stands twice", "userspace/collect/rows.c",
           "\tcollect->ok++;\n\tcollect_stream_last(collect);\n}\n\n/**\n * collect_rows()",
           "\tcollect->ok++;\n\tcollect_stream_last(collect);\n\tif (!collect->stream) {\n\t\tfile = report_add(collect->report, NULL);\n\t\tfile_take(file, row);\n\t}\n}\n\n/**\n * collect_rows()"),
    Mutant("report, deleted files are left out", "userspace/collect/rows.c",
           "	if (row->flags & PCINSPECT_F_SKIPPED) {\n		collect_skipped(",
           "	if (row->flags & PCINSPECT_F_DELETED)\n		return;\n"
           "	if (row->flags & PCINSPECT_F_SKIPPED) {\n		collect_skipped("),
    Mutant("devices, read is written", "userspace/collect/disks.c",
           "	return row->file_bytes + row->other_file_bytes + row->metadata_bytes +\n"
           "	       row->direct_bytes + row->swap_bytes + row->unattributed_bytes;",
           "	return row->write_file_bytes + row->write_other_file_bytes +\n"
           "	       row->write_direct_bytes + row->write_swap_bytes + row->write_log_bytes;"),
    Mutant("devices, metadata is left out", "userspace/collect/disks.c",
           "	return row->file_bytes + row->other_file_bytes + row->metadata_bytes +",
           "	return row->file_bytes + row->other_file_bytes +"),
    Mutant("machine, a file counts twice", "userspace/model/machine.c",
           "\t*(path ? &machine->named_pages : &machine->nameless_pages) += pages;",
           "\t*(path ? &machine->named_pages : &machine->nameless_pages) += 2 * pages;"),
    Mutant("machine, a file is left out", "userspace/model/machine.c",
           "\tif (ledger)\n\t\tledger->met = true;\n\t*(path",
           "\tstatic int nth;\n\tif (++nth == 5)\n\t\treturn;\n\tif (ledger)\n\t\tledger->met = true;\n\t*(path"),
    Mutant("cgroup, children are left out", "userspace/collect/cgroups.c",
           "\t\tfor (at = i; at != NO_PLACE; at = above[at])\n\t\t\tif (at < nr)\n\t\t\t\tcgroup_add_lists(",
           "\t\tfor (at = i; at == i; at = above[at])\n\t\t\tif (at < nr)\n\t\t\t\tcgroup_add_lists("),
    Mutant("lie: arguments of a static function", "module/hooks/readahead.c",
           '.args = "readahead_control"),\n};', '.args = "file"),\n};', refused="read_pages"),
    Mutant("lie: arguments of a function of a module", "module/hooks/fsync.c",
           '"ext4:file"', '"ext4:inode"', refused="ext4_sync_file"),
]


def main():
    """Do all texts stand where they should?"""
    wrong = 0
    for mutant in MUTANTS:
        with open(os.path.join(TOP, mutant.file), encoding="utf-8") as f:
            try:
                mutant.applied(f.read())
            except ValueError as e:
                print(e, file=sys.stderr)
                wrong += 1
    names = [m.name for m in MUTANTS]
    wrong += len(names) - len(set(names))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
