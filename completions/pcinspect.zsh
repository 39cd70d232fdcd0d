#compdef pcinspect
# zsh completion for pcinspect(1); the program knows its words itself: see
# userspace/cmd/complete.c for what it answers. Installed as _pcinspect.

local kind line before=$PREFIX
local -a reply offered

reply=("${(@f)$("${(Q)words[1]}" --complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
kind=$reply[1]
shift reply

if [[ $kind == :command* ]]; then
	shift ${kind#* } words
	(( CURRENT -= ${kind#* } ))
	_normal
	return
fi
# What stands before the last word of a list, or of --option=, stays as it is.
[[ $kind == :list ]] && compset -P '*,'
compset -P '--[^=]#='
before=${before%$PREFIX}
if [[ $kind == :files ]]; then
	_files
	return
fi
for line in $reply; do
	line=${line#$before}
	offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
done
if [[ $kind == :list ]]; then
	_describe -t words 'word' offered -S ''
else
	_describe -t words 'word' offered
fi
