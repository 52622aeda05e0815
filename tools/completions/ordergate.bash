# Completion of ordergate for bash: commands, options and the words that an option allows, as each command's own
# --help=words lists them; file names otherwise.  zsh reads it too, after `autoload bashcompinit && bashcompinit`.
_ordergate() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} word line
    local call=("${COMP_WORDS[0]}") known=() allowed=

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == [a-z]* ]] && call+=("$word")
    done
    while IFS= read -r line; do # word, value and help with tabs between, of which read would take two for one
        word=${line%%$'\t'*} line=${line#*$'\t'}
        [[ $word == "$before" ]] && allowed=${line%%$'\t'*}
        known+=("$word")
    done < <("${call[@]}" --help=words 2>/dev/null)
    COMPREPLY=()
    if [[ $allowed == [A-Z]*" "* ]]; then # the value's name, and the words that it may be; a policy may be a file too
        mapfile -t COMPREPLY < <(compgen -W "${allowed#* }" -- "$current")
        [[ $allowed == POLICY* ]] && mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
    elif [[ $allowed == *"|"* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${allowed//|/ }" -- "$current")
    elif [[ -z $allowed || $allowed == "["* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${known[*]}" -- "$current")
    fi
}
complete -o default -F _ordergate ordergate
