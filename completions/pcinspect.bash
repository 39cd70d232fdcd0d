# bash completion for pcinspect(1); the program knows its words itself.

_pcinspect()
{
	local cur=${COMP_WORDS[COMP_CWORD]} i command=

	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			# the first word behind it is a command, what follows are its own
			((i == COMP_CWORD - 1)) && mapfile -t COMPREPLY < <(compgen -c -- "$cur")
			return
		fi
		[[ ${COMP_WORDS[i]} == -* ]] || command=${command:-${COMP_WORDS[i]}}
	done
	# Options are offered where one has begun; of a list the last word is completed.
	[[ -z $command || $cur == -* || ${COMP_WORDS[COMP_CWORD - 1]} == -* ]] || return
	mapfile -t COMPREPLY < <(compgen -P "${cur%"${cur##*,}"}" -W "$(pcinspect --complete \
		"${COMP_WORDS[COMP_CWORD - 1]}" ${command:+"$command"} 2>/dev/null |
		awk '{ print $1 }')" -- "${cur##*,}")
}
complete -o default -F _pcinspect pcinspect
