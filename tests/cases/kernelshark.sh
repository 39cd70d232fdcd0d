#!/bin/bash
# vm: --mem 1024 --disk 1024
# kernels: 6.12
# after: tests/kernelshark/run $OUT/trace.dat $OUT/instance.dat
# minutes: 4
# kernelshark.sh - record what the KernelShark plugin is to draw; "after" draws it.
#
#   tests/vm --kernel 6.12 --disk 1024 --out DIR tests/cases/kernelshark.sh
#
# Two files on ext4 have explicit records. A few seconds hold everything the
# plugin draws: sequential reads of one file (readahead windows), page faults
# over the other, which is larger than its reader's memory control group and is
# gone over twice (refaults), writes that stay dirty and fsyncs. The same is
# recorded twice: by trace-cmd in the top buffer (trace.dat), and by
# `pcinspect record`, in a buffer instance (instance.dat).
# May touch: /dev/vdb, a control group; it is a throw-away machine.
set -eu

# "active" by the classic rules: a page is when it was used a second time.
echo n >/sys/kernel/mm/lru_gen/enabled 2>/dev/null || true
mkfs.ext4 -q -F /dev/vdb
mkdir -p /srv
mount /dev/vdb /srv
cd /srv
head -c 24M /dev/urandom >seq.bin
head -c 24M /dev/urandom >faults.bin
sync
pcinspect track seq.bin faults.bin >/dev/null

cgroup=/sys/fs/cgroup/small
mkdir $cgroup
echo 16M >$cgroup/memory.max

cat >/run/workload <<'WORKLOAD'
#!/bin/bash
# seq.bin is read by one task; faults.bin is gone over twice by another.
cd /srv
echo 1 >/proc/sys/vm/drop_caches
sleep 0.6
for part in 0 1 2; do
	dd if=seq.bin of=/dev/null bs=64k skip=$((part * 128)) count=128 status=none
	sleep 0.5
done
# Read again: on the active list then.
for _ in 1 2; do
	dd if=seq.bin of=/dev/null bs=64k count=192 status=none
done
(
	echo "$BASHPID" >/sys/fs/cgroup/small/cgroup.procs
	exec python3 -c '
import mmap, time
with open("/proc/self/comm", "w") as f:
    f.write("faulter")
with open("faults.bin", "rb") as f:
    view = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
    for turn in range(2):
        for page in range(0, len(view), 4096):
            view[page]
            if page % (1 << 20) == 0:
                time.sleep(0.05)
'
)
sleep 0.3
for part in 0 1 2; do
	dd if=/dev/zero of=seq.bin bs=64k seek=$((part * 96)) count=96 \
		conv=notrunc status=none
	sleep 1.5 # long enough to be seen, however busy the machine is
	[ $part = 1 ] || dd if=/dev/zero of=seq.bin bs=64k seek=$((part * 96)) \
		count=8 conv=notrunc,fsync status=none
	sleep 0.3
done
sync seq.bin
sleep 0.5
WORKLOAD
chmod +x /run/workload

# sampled: the workload, while every 0.2 s somebody looks at the files.
cat >/run/sampled <<'SAMPLED'
#!/bin/bash
/run/workload &
job=$!
while kill -0 $job 2>/dev/null; do
	pcinspect stat --json /srv/seq.bin /srv/faults.bin >/dev/null
	sleep 0.2
done
SAMPLED
chmod +x /run/sampled

trace-cmd record -e pcinspect -o "$OUT/trace.dat" /run/sampled >/run/log 2>&1 ||
	{ cat /run/log; exit 1; }
pcinspect record --interval 0.2 -o "$OUT/instance.dat" /srv/seq.bin /srv/faults.bin \
	-- /run/workload >/run/log 2>&1 || { cat /run/log; exit 1; }

for file in trace instance; do
	trace-cmd report -i "$OUT/$file.dat" >/run/report 2>/dev/null
	for event in sample ra_window refault fsync dirty_aged evicted; do
		echo "$file.dat: $(grep -c "pcinspect_$event:" /run/report) $event"
	done
done
