# bash completion for pcinspect(1); tests/run static checks it names everything.

_pcinspect()
{
	local cur prev command i
	local commands='watch stat top run reads readahead dirty fsync explain record report track untrack reset status'
	local common='--json --report --noheadings --bytes --help --version'
	local table='--output'
	local clock='--once --interval --for'

	COMPREPLY=()
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	command=
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
	done

	case $prev in
	--by)
		mapfile -t COMPREPLY < <(compgen -W 'cached active dirty read wasted refault' -- "$cur")
		return
		;;
	--output | -o)
		[[ $command == readahead ]] || command=stat
		mapfile -t COMPREPLY < <(compgen -W "$(pcinspect "$command" -o help 2>/dev/null |
			awk '{ print $1 }')" -- "$cur")
		return
		;;
	--view)
		mapfile -t COMPREPLY < <(compgen -W 'stat reads readahead dirty fsync explain events' -- "$cur")
		return
		;;
	--scan | --mount | -m)
		mapfile -t COMPREPLY < <(compgen -W "$(awk '{ print $2 }' /proc/mounts)" -- "$cur")
		return
		;;
	--interval | --for | --limit)
		return
		;;
	esac

	if [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$cur")
		return
	fi
	if [[ $cur == -* ]]; then
		local options=$common
		case $command in
		stat | reads | dirty) options+=" $table --recursive" ;;
		explain) options+=" --recursive" ;;
		readahead) options+=" $table" ;;
		run) options+=" $table --mount --explain --limit" ;;
		track) options+=" $table" ;;
		record) options+=" --output --interval --for --block" ;;
		report) options+=" $table --view --limit" ;;
		watch) options+=" $clock --no-events" ;;
		top) options+=" $table $clock --by --limit --scan" ;;
		esac
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		return
	fi
	case $command in
	top | status) ;;
	*) compopt -o filenames 2>/dev/null
	   mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}
complete -F _pcinspect pcinspect
