# shellcheck shell=bash
# chroot.sh - KernelShark in the chroots of mkchroot: run things there, take a
# picture. Shared by tests/kernelshark/run and tests/walkthrough/run.
#
# Sourced after tests/lib/host.sh; never run. Needs root, $work, and in "roots"
# the chroot of each suite.

declare -A roots

# inside SUITE CMD...: in the suite's chroot, this tree in /mnt/src (read-only)
# and $work/SUITE in /mnt/work. Processes and sockets end with it.
inside() {
	local root=${roots[$1]} work=$work/$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount --pid --net --ipc --fork --kill-child bash -c '
		root=$1 top=$2 work=$3
		shift 3
		mkdir -p "$root/mnt/src" "$root/mnt/work"
		mount -t proc proc "$root/proc" &&
		mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" &&
		mount --bind -o ro "$top" "$root/mnt/src" &&
		mount --bind "$work" "$root/mnt/work" &&
		mount --rbind /dev "$root/dev" || exit 1
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' - "$root" "$TOP" "$work" "$@" </dev/null
}

# Where, in a window of 1200x700, graphs and table meet: dragged, for more graphs.
declare -A handle=([bookworm]=295 [trixie]=277)

# inodes REPORT: those that readahead was for, as DEV/INO,DEV/INO.
inodes() {
	sed -n 's/.*pcinspect_ra_window: *dev=\([0-9:]*\) ino=\([0-9]*\) .*/\1\/\2/p' "$1" |
		sort -u | paste -s -d,
}

# picture SUITE NAME [KERNELSHARK-ARGUMENT]...: $work/SUITE/NAME.png.
picture() {
	local suite=$1 name=$2
	shift 2
	inside "$suite" setpriv --reuid 1000 --regid 1000 --clear-groups \
		env SPLIT="${handle[$suite]}:520" WANT="${WANT:-}" /mnt/src/tests/kernelshark/shot \
		"/mnt/work/$name.png" "$@"
}
