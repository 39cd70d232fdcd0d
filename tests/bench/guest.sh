#!/bin/bash
# guest.sh - the measurements of tests/bench/run, inside a guest under -icount.
# Prints "key value" lines. The module is not loaded when it starts.
set -e
gcc -O2 -I"$HERE/include/uapi" -o /tmp/cost "$HERE/cost.c"
cost=/tmp/cost
# Nothing of it in the background afterwards.
mkfs.ext4 -q -F -N 30000 -E lazy_itable_init=0,lazy_journal_init=0 /dev/vdb
mount -o noatime /dev/vdb /mnt
truncate -s 16M /mnt/sparse
mkdir /tmp/elsewhere
mount -t tmpfs tmpfs /tmp/elsewhere
echo x | tee /tmp/elsewhere/file /mnt/other >/dev/null
truncate -s 256M /mnt/large
for file in written mapped; do
	dd if=/dev/zero of=/mnt/$file bs=1M count=8 conv=fsync status=none
done
# Writes to it complete at once: nothing waits for a disk.
modprobe brd rd_nr=1 rd_size=65536
mkfs.ext4 -q -F /dev/ram0
mkdir /tmp/ram
mount -o noatime /dev/ram0 /tmp/ram
dd if=/dev/zero of=/tmp/ram/written bs=1M count=8 conv=fsync status=none
echo "kernel $(uname -r)"

# --- insertion --------------------------------------------------------------
measure() { echo "$1 $($cost insert /mnt/sparse 4096)"; }

# Sequential reads with two window sizes: what a page costs, and a window.
bdi=/sys/block/vdb/queue/read_ahead_kb
reads() {
	local kb
	for kb in 128 512; do
		echo $kb >$bdi
		echo "seq_$1_$kb $($cost seq /mnt/sparse)"
	done
	echo 128 >$bdi
	echo "pread_$1 $($cost pread1 /mnt/sparse 20000)"
	echo "dirty_$1 $($cost dirty /mnt/written 8)"
	echo "write_$1 $($cost write1 /mnt/mapped 20000)"
	echo "around_$1 $($cost fault /mnt/mapped 16)"
	echo "fault_$1 $($cost fault /mnt/mapped 1)"
	echo "writeback_$1 $($cost writeback /tmp/ram/written 8)"
	echo "direct_$1 $($cost direct /tmp/ram/written 100)"
}

measure insert_base
reads base
modprobe pcinspect auto=0
measure insert_idle
pcinspect track /tmp/elsewhere/file
measure insert_not_tracked
pcinspect track /mnt/other
measure insert_marked
rmmod pcinspect
modprobe pcinspect
measure insert_auto
reads auto
pcinspect track /tmp/elsewhere/file
reads elsewhere
pcinspect untrack
pcinspect track /mnt/sparse /mnt/written /mnt/mapped /tmp/ram/written
measure insert_explicit
reads explicit
rmmod pcinspect
# With a full table: one pass of 13 ms of the guest's time, before the worker
# that makes room for the inode comes round (after 100 ms).
once() { echo "$1 $($cost insert /mnt/sparse 2048 1)"; }
once insert_once_base
modprobe pcinspect max_inodes=16
for i in $(seq 40); do echo x >"/mnt/fill$i"; done
sleep 0.5
for i in $(seq 41 60); do echo x >"/mnt/fill$i"; done
once insert_full
echo "full_record $(pcinspect stat -n -o KIND /mnt/sparse)"
rmmod pcinspect

if command -v bpftrace >/dev/null; then
	cat >/tmp/lookup.bt <<'BT'
BEGIN { @watched[(uint64)1] = 1; }
rawtracepoint:mm_filemap_add_to_page_cache {
	$host = (uint64)((struct folio *)arg0)->mapping->host;
	if (@watched[$host] == 1) { @hits = count(); }
}
BT
	bpftrace /tmp/lookup.bt >/tmp/bt.log 2>&1 &
	for _ in $(seq 60); do
		grep -q Attach /tmp/bt.log && break
		sleep 1
	done
	sleep 5
	if grep -q Attach /tmp/bt.log; then
		measure insert_bpftrace
	else
		echo "# bpftrace did not run: $(tail -n 1 /tmp/bt.log)"
	fi
	kill %% 2>/dev/null || :
	wait 2>/dev/null || :
fi

# --- the walk ---------------------------------------------------------------
modprobe pcinspect auto=0
$cost fill /mnt/large
echo "walk $($cost walk /mnt/large)"
echo "lists $($cost lists /mnt/large)"
echo "lru_hold $(awk '$1 == "longest_lru_hold:" { print $2 }' /sys/kernel/debug/pcinspect/info)"
rm /mnt/large

# --- a tree of 20,000 cached files ------------------------------------------
tree=/mnt/tree
mkdir $tree
for d in $(seq 200); do
	mkdir "$tree/d$d"
	for f in $(seq 100); do echo "$d $f" >"$tree/d$d/f$f"; done
done
sync
tool() {
	local name=$1
	shift
	echo "$name $($cost run "$@")"
}
tool tree_pcinspect pcinspect stat -r -n -o CACHED,SIZE,PATH $tree
tool tree_pcinspect_default pcinspect stat -r $tree
tool tree_vmtouch vmtouch $tree
tool tree_vmtouch_verbose vmtouch -v $tree
find $tree -type f -print0 >/tmp/list
tool tree_fincore xargs -0 -a /tmp/list fincore -n
