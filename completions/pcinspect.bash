# bash completion for pcinspect(1); the program knows its words itself: see
# userspace/cmd/complete.c for what it answers.

_pcinspect()
{
	local typed words=() index=() reply=() before='' kind line word i

	# bash takes words apart at "=": --by=cached is one of them to the program.
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ ${#words[@]} -gt 0 && ${words[-1]} == --?* &&
			($word == = || ${words[-1]} == *= && ${COMP_WORDS[i - 1]} == =) ]]; then
			words[-1]+=$word
		else
			words+=("$word")
			index+=("$i")
		fi
	done
	typed=${words[-1]}
	mapfile -t reply < <("$1" --complete "${words[@]}" 2>/dev/null)
	kind=${reply[0]-}
	case $kind in
	:command*)
		i=${index[${kind#* } - 1]}
		if declare -F _comp_command_offset >/dev/null; then
			_comp_command_offset "$i"
		elif declare -F _command_offset >/dev/null; then
			_command_offset "$i"
		elif [[ $i == "$COMP_CWORD" ]]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$typed")
		else
			compopt -o default
		fi
		return
		;;
	:files) compopt -o default ;;
	:paths) compopt -o filenames ;;
	:list) compopt -o nospace ;;
	esac
	[[ $typed != --*=* ]] || before=${typed%%=*}=
	for line in "${reply[@]:1}"; do
		word=${line%%$'\t'*}
		[[ $word != "$typed"* ]] || COMPREPLY+=("${word#"$before"}")
	done
}
complete -F _pcinspect pcinspect
