#!/bin/bash
# loads.sh - the module that dkms installed is loaded, and says it is well.
[ -e /sys/module/pcinspect ] && pcinspect status
