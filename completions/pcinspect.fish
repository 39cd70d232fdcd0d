# fish completion for pcinspect(1); the program knows its words itself: see
# userspace/cmd/complete.c for what it answers.

function __pcinspect_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l reply ($words[1] --complete $words[2..-1] "$typed" 2>/dev/null)
    switch "$reply[1]"
        case ':command *'
            # As if only that command had been typed.
            set -l first (string replace ':command ' '' -- $reply[1])
            set -e words[1..$first]
            complete -C (string join ' ' -- (string escape -- $words) $typed)
        case ':files'
            set -l before (string match -r '^--[^=]*=' -- "$typed")
            __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$typed") |
                string replace -r -- '^' "$before"
        case '*'
            string match -v ':*' -- $reply
    end
end

complete -c pcinspect -f -a '(__pcinspect_complete)'
