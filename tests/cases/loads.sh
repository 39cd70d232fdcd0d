#!/bin/bash
# vm: --mem 1024
# loads.sh - the module that dkms installed is loaded, and says it is well.
[ -e /sys/module/pcinspect ] && pcinspect status &&
	echo "ok - the module is loaded, and the program says how it is"
