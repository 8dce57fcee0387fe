
# Elections, where the word after a verb names one and nothing else is to be offered.
function _incumbent_elections() {
  _complete_incumbent
  local words verb=0 at=() last
  [[ ${#COMPREPLY[@]} = 0 ]] || return 0
  read -ra words <<< "${COMP_LINE:0:COMP_POINT}"
  last=''
  if [[ ${COMP_LINE:COMP_POINT-1:1} != ' ' ]]; then
    last=${words[${#words[@]} - 1]}
    words=("${words[@]:0:${#words[@]} - 1}")
  fi
  [[ $last != -* ]] || return 0
  words=("${words[@]:1}")
  while [[ ${#words[@]} -gt 0 ]]; do
    case ${words[0]} in
      --at) at=(--at "${words[1]}") && words=("${words[@]:2}") ;;
      --at=*) at=("${words[0]}") && words=("${words[@]:1}") ;;
      fence) words=("${words[@]:1}") ;;
      run | status | observe | wait | transfer | resign | freeze | thaw | check | history | doctor | raise | forget)
        [[ $verb = 0 ]] || return 0
        verb=1 words=("${words[@]:1}")
        ;;
      *) return 0 ;;
    esac
  done
  [[ $verb = 1 ]] || return 0
  while read -r words _; do
    [[ $words != "$last"* ]] || COMPREPLY+=("$words")
  done < <(incumbent status "${at[@]}" 2> /dev/null | sed 1d)
}
complete -F _incumbent_elections -o default incumbent
