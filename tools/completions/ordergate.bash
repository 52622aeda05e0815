# Completion of ordergate for bash: commands, options and the words that an option allows, as each command's own
# --help=words lists them; file names otherwise.  zsh reads it too, after `autoload bashcompinit && bashcompinit`.
_ordergate() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} word value help
    local call=("${COMP_WORDS[0]}") known=() allowed=

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == [a-z]* ]] && call+=("$word")
    done
    while IFS=$'\t' read -r word value help; do
        [[ $word == "$before" ]] && allowed=$value
        known+=("$word")
    done < <("${call[@]}" --help=words 2>/dev/null)
    COMPREPLY=()
    if [[ $allowed == *"|"* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${allowed//|/ }" -- "$current")
    elif [[ -z $allowed || $allowed == "["* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${known[*]}" -- "$current")
    fi
}
complete -o default -F _ordergate ordergate
