# Completion of clatter's command line for bash: commands, options, scenes, and names inside a scene.

# The scene of the command line: the first word after the command that is a demo or a script.
_clatter_scene() {
    local i
    for ((i = 2; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        *.lua) echo "${COMP_WORDS[i]}"; return ;;
        -*) ;;
        *) if clatter list 2>/dev/null | cut -f1 | grep -qx -- "${COMP_WORDS[i]}"; then echo "${COMP_WORDS[i]}"; return; fi ;;
        esac
    done
}

# Adds the lines of standard input that begin with the word. Blanks in the lines are quoted.
_clatter_add() {
    local line
    while IFS= read -r line; do
        [[ $line == "$1"* ]] && COMPREPLY+=("${2-}$(printf '%q' "$line")${3-}")
    done
}

_clatter() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} scene
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _clatter_add "$word" < <(clatter help 2>/dev/null | sed -n 's/^  clatter \([a-z][a-z]*\)  .*/\1/p')
        return
    fi
    scene=$(_clatter_scene)
    case $before in
    --set)
        compopt -o nospace 2>/dev/null
        [[ -z $scene ]] || _clatter_add "$word" "" = < <(clatter info "$scene" --names params 2>/dev/null)
        return ;;
    --camera)
        [[ -z $scene ]] || _clatter_add "$word" < <(clatter info "$scene" --names cameras 2>/dev/null)
        return ;;
    --follow)
        [[ -z $scene ]] || _clatter_add "$word" < <(clatter info "$scene" --names bodies 2>/dev/null)
        return ;;
    --measure)
        [[ -z $scene ]] || _clatter_add "$word" < <(clatter info "$scene" --names measures 2>/dev/null)
        return ;;
    --law) _clatter_add "$word" < <(printf '%s\n' stronge poisson algebraic composite compliant); return ;;
    --contact) _clatter_add "$word" < <(printf '%s\n' island microcollision); return ;;
    --overlay) _clatter_add "$word" < <(printf '%s\n' contacts trails sleeping energy hodograph time none); return ;;
    --out | --from | --trace | --events | --stats | --plot | --batch | --ghost | --sound)
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$word"))
        return ;;
    esac
    if [[ $word == -* ]]; then
        _clatter_add "$word" < <(clatter help "$command" 2>/dev/null | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p')
    elif [[ $command == help ]]; then
        _clatter_add "$word" < <(clatter help 2>/dev/null | sed -n 's/^  clatter \([a-z][a-z]*\)  .*/\1/p')
    elif [[ $command != list && -z $scene ]]; then
        _clatter_add "$word" < <(clatter list 2>/dev/null | cut -f1)
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -X '!*.lua' -- "$word") $(compgen -d -S / -- "$word"))
    fi
}
complete -F _clatter clatter
