# shellcheck shell=bash
# host.sh - what every host-side script of the test harness shares.
#
# Why: tests/vm, tests/run and the builders must agree on where the cache is,
# how packages get on a machine that has nothing, and how progress is shown.
# May touch: the cache directory, apt (only to install what is missing).
# Sourced, never run. Everything it prints goes to stderr: stdout belongs to
# the script inside the guest.

set -u

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/pcinspect
export TOP CACHE
mkdir -p "$CACHE"

# The supported kernels, and the Debian release whose kernel each is: docs/kernels.md has
# the list. That of experimental is no kernel of make check.
KERNELS=()
declare -A SUITE=()
while read -r _kernel _suite; do
	[ "$_suite" = experimental ] || KERNELS+=("$_kernel")
	SUITE[$_kernel]=$_suite
done < <(sed -nE 's/^\| ([0-9]+\.[0-9]+) \| ([a-z]+).*/\1 \2/p' "$TOP/docs/kernels.md")
export KERNELS SUITE

_t0=${PCINSPECT_T0:-$(date +%s)}
export PCINSPECT_T0=$_t0

say() { printf '[%4ds] %s\n' "$(($(date +%s) - _t0))" "$*" >&2; }
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# quietly LOG CMD...: run CMD with its output in LOG; show the tail on failure.
quietly() {
	local log=$1
	shift
	if ! "$@" >"$log" 2>&1 </dev/null; then
		printf '%s failed; last lines of %s:\n' "$*" "$log" >&2
		tail -n 40 "$log" >&2
		return 1
	fi
}

# need_packages PKG...: install the Debian packages that are not there yet.
need_packages() {
	local missing=() p have
	# shellcheck disable=SC2016 # dpkg-query's variables
	have=$(dpkg-query -W -f '|${Package}|${Status}\n' "$@" 2>/dev/null)
	for p in "$@"; do
		[[ $have == *"|$p|install ok installed"* ]] || missing+=("$p")
	done
	[ ${#missing[@]} -eq 0 ] && return 0
	[ "$(id -u)" = 0 ] || die "missing packages: ${missing[*]} (run as root, or apt-get install them)"
	say "installing ${missing[*]}"
	(
		flock 9
		export DEBIAN_FRONTEND=noninteractive
		quietly "$CACHE/apt.log" apt-get update -q || true
		quietly "$CACHE/apt.log" apt-get install -y -q --no-install-recommends "${missing[@]}"
	) 9>"$CACHE/apt.lock" || die "apt-get could not install: ${missing[*]}"
}

# debian_mirror LABEL: the archive with that label (Debian, Debian-Security)
# that this machine itself uses; nothing when it uses none. Every guest asks, and apt
# takes half a second to say: its answer is kept while what it depends on stays.
debian_mirror() {
	local known=$CACHE/mirror-$1
	if [ ! -e "$known" ] ||
		[ -n "$(find /etc/apt /var/lib/apt/lists -cnewer "$known" -print -quit 2>/dev/null)" ]; then
		# shellcheck disable=SC2016 # these are apt's variables
		apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 2>/dev/null |
			awk -v label="$1" '$1 == "Debian" && $2 == label { print $3; exit }' >"$known.$$"
		mv "$known.$$" "$known"
	fi
	cat "$known"
}

# Programs of arm64 run on this machine: the kernel starts qemu-user for them.
foreign() {
	local binfmt=/proc/sys/fs/binfmt_misc
	need_packages qemu-user-static arch-test
	[ -e $binfmt/register ] || mount -t binfmt_misc binfmt_misc $binfmt || return 1
	[ -e $binfmt/qemu-aarch64 ] ||
		printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:OCPF' \
			>$binfmt/register
}

# debian_root SUITE TARGET SECURITY ARG...: a Debian made by mmdebstrap, which gets
# the ARGs; its words are in TARGET.log. SECURITY is the archive of security updates
# or nothing.
debian_root() {
	local suite=$1 target=$2 security=$3 mirror sources
	shift 3
	need_packages mmdebstrap debian-archive-keyring
	mirror=$(debian_mirror Debian)
	[ -n "$mirror" ] || die "no Debian archive among this machine's apt sources"
	sources=("deb $mirror ${suite/experimental/sid} main")
	[ "$suite" != experimental ] || sources+=("deb $mirror experimental main")
	[ -z "$security" ] || sources+=("deb $security $suite-security main")
	mkdir -p "$(dirname "$target")"
	rm -rf --one-file-system "$target.tmp" "$target"
	quietly "$target.log" mmdebstrap --mode=root \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='APT::Install-Recommends "false"' \
		--dpkgopt=force-unsafe-io \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		--dpkgopt='path-exclude=/usr/share/man/*' \
		--dpkgopt='path-exclude=/usr/share/locale/*' \
		"$@" "${suite/experimental/sid}" "$target.tmp" "${sources[@]}" || return 1
	mv "$target.tmp" "$target"
}

# in_root ROOT FOLDER CMD...: run CMD in a Debian root that has FOLDER as /mnt, in a mount
# namespace of its own.
in_root() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare -m -- sh -c '
		mount --make-rprivate / && mount -t proc proc "$1/proc" &&
		mount --rbind /dev "$1/dev" && mount --bind "$2" "$1/mnt" && root=$1 && shift 2 &&
		exec chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' sh "$@"
}

# locked NAME CMD...: run CMD while holding the exclusive cache lock NAME.
locked() {
	local name=$1
	shift
	(
		flock -n 9 || { say "waiting for another run to finish '$name'"; flock 9; }
		"$@"
	) 9>"$CACHE/$name.lock"
}

# key TEXT...: a short hash that names a cache entry.
key() { printf '%s\n' "$@" | sha256sum | cut -c1-12; }

# head_of FILE KEY [KERNEL]: what the head of a test says: its lines "# KEY: WORDS",
# or for one kernel "# KEY KERNEL: WORDS", right below the first.
head_of() {
	local line number=0
	while IFS= read -r line; do
		number=$((number + 1))
		[ $number -gt 1 ] || continue
		[[ $line =~ ^#\ ([a-z]+)((\ [0-9a-z.]+)*):\ (.*)$ ]] || break
		[ "${BASH_REMATCH[1]}" = "$2" ] || continue
		if [ -z "${BASH_REMATCH[2]}" ] || [[ "${BASH_REMATCH[2]} " == *" ${3:-} "* ]]; then
			echo "${BASH_REMATCH[4]}"
		fi
	done <"$1"
}
