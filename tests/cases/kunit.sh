#!/bin/bash
# vm: --mem 1024
# kernels: debug
# soak: debug-rt
# timeout: 1800
# minutes: 2
# kunit.sh - load the KUnit module in the debug kernel and count what it says.
#
# The results of each suite are read from debugfs: insmod of a failing KUnit
# module returns 0. How many tests there must be is written here, so that a
# suite that silently does not run is a failure.
EXPECTED=67

insmod /share/pcinspect_kunit.ko || exit 1
total=0
for results in /sys/kernel/debug/kunit/pcinspect_*/results; do
	suite=$(basename "$(dirname "$results")")
	# Leaves: the tests themselves and the cases of parameterized ones.
	while IFS= read -r line; do
		name="$suite: ${line#*ok }"
		case $line in
		*"not ok "*) echo "not ok - $name" ;;
		*"# SKIP"*) echo "not ok - $name was skipped" ;;
		*) echo "ok - $name" ;;
		esac
		total=$((total + 1))
	done < <(LC_ALL=C grep -aE '^ +(not )?ok [0-9]+ ' "$results")
	LC_ALL=C grep -aE 'EXPECTATION|ASSERTION|Expected' "$results" | sed 's/^/# /'
done
if [ $total = $EXPECTED ]; then
	echo "ok - $EXPECTED KUnit results"
else
	echo "not ok - $EXPECTED KUnit results # got $total"
fi
rmmod pcinspect_kunit || exit 1
