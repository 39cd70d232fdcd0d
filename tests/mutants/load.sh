#!/bin/sh
# load.sh X E - a little of everything, on an xfs and an ext4.
#
# The purpose of each line stands beside it; guest.py reads the audits.
set -e
x=$1 e=$2 here=$(dirname "$0")
quiet() { "$@" 2>/dev/null; }

cat "$x/read" "$e/read" >/dev/null                                # readahead, large folios
quiet dd if="$x/random" of=/dev/null bs=4k count=24 skip=100      # a small read
python3 "$here/pages.py" "$x/random" "$e/mapped"                  # threads, a mapping
quiet ls -l "$e/many" >/dev/null                                  # metadata
quiet dd if=/dev/zero of="$x/new" bs=64k count=96 conv=fsync      # large dirty folios
quiet dd if=/dev/zero of="$x/new" bs=4k count=64 conv=notrunc,fsync
quiet dd if=/dev/zero of="$e/log" bs=4k count=16 oflag=dsync      # a call each
quiet dd if=/dev/zero of="$e/new" bs=16k count=100                # nobody syncs it yet
quiet dd if="$x/direct" of=/dev/null bs=512k iflag=direct
quiet dd if=/dev/zero of="$x/direct" bs=512k count=3 oflag=direct conv=notrunc
quiet dd if="$x/read" iflag=nocache count=0                       # fadvise
truncate -s 1M "$x/new"
cp "$x/random" "$x/gone"
cat "$x/gone" >/dev/null
sync "$x/gone"
rm "$x/gone"                                                      # a deleted file
# Twice through a limit that is smaller: reclaim and refaults; and memory in swap.
sh -c 'echo 0 >/sys/fs/cgroup/small/below/cgroup.procs; cat "$0" "$0" "$1" "$1" >/dev/null' \
	"$x/large" "$e/large"
sh -c 'echo 0 >/sys/fs/cgroup/small/below/cgroup.procs; exec python3 "$0"' "$here/anonymous.py"
sh -c 'echo 0 >/sys/fs/cgroup/small/below/cgroup.procs; cat "$0" >/dev/null' "$x/direct"
# Half of that goes again, and leaves shadows; less is not worth a word.
quiet sh -c 'echo 2M >/sys/fs/cgroup/small/memory.reclaim' || true
sync
# For the reports that come after: dirty, and a task that outlives the run.
quiet dd if=/dev/zero of="$x/dirty" bs=64k count=16
sleep 4 >/dev/null 2>&1 &
