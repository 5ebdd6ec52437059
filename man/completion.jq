# completion.jq — rows of `gr-x --describe` to a completion script
#
#   gr-x --describe | jq -srf man/completion.jq --arg shell bash|zsh

.[0] as $head | .[1:] as $rows
| $head.tool as $tool | ($tool | gsub("-"; "_")) as $fn
| [($head.commands // [])[].name | select(. != null)] as $commands
| (if $commands == [] then [null] else $commands end) as $scopes
| def of($c): $rows | map(select(.command == $c or .command == null)) | unique_by(.name);
  def spellings: ["--" + .name] + (if .short then ["-" + .short] else [] end);

  # ---- bash
  def bash_values($c): of($c)[] | select(.arg != null)
    | "    " + ([spellings[] | ($c // "") + ":" + .] | join("|")) + ") "
      + (if .choices then "COMPREPLY=($(compgen -W \"" + (.choices | join(" ")) + "\" -- \"$cur\"))"
         else "COMPREPLY=($(compgen -f -- \"$cur\"))" end) + "; return ;;";
  def bash_names($c): "    " + (if $c then $c else "*" end) + ") names=\""
    + ([of($c)[] | "--" + .name + (if .arg then "=" else "" end)] | join(" ")) + "\" ;;";
  def bash: (
    "# bash completion for " + $tool + " (made from " + $tool + " --describe)",
    "_" + $fn + "()", "{",
    "    local cur=${COMP_WORDS[COMP_CWORD]} opt=${COMP_WORDS[COMP_CWORD-1]} cmd= names= w",
    "    COMPREPLY=()",
    "    if [[ $cur == = ]]; then cur=",
    "    elif [[ $opt == = && COMP_CWORD -ge 2 ]]; then opt=${COMP_WORDS[COMP_CWORD-2]}",
    "    fi",
    (if $commands == [] then empty else
      "    for w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
      "        case $w in " + ($commands | join("|")) + ") cmd=$w; break ;; esac",
      "    done",
      "    if [[ -z $cmd && $cur != -* && $opt != -* ]]; then",
      "        COMPREPLY=($(compgen -W \"" + ($commands | join(" ")) + "\" -- \"$cur\") $(compgen -f -- \"$cur\"))",
      "        return 0",
      "    fi",
      (if $head.default_command then "    cmd=${cmd:-" + $head.default_command + "}" else empty end) end),
    "    case $cmd:$opt in",
    ($scopes[] | bash_values(.)),
    "    esac",
    "    case $cmd in",
    ($scopes[] | bash_names(.)),
    (if $commands == [] then empty else
      "    *) names=\"--help --version --describe\" ;;" end),
    "    esac",
    "    if [[ $cur == -* ]]; then",
    "        COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))",
    "        [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace",
    "    else",
    "        COMPREPLY=($(compgen -f -- \"$cur\"))",
    "    fi",
    "    return 0",
    "}",
    "complete -o filenames -F _" + $fn + " " + $tool );

  # ---- zsh
  def zq: gsub("\\\\"; "\\\\") | gsub("'"; "'\\''") | gsub("\\["; "\\[") | gsub("\\]"; "\\]") | gsub(":"; "\\:");
  def zsh_spec: "[" + (.help | zq) + "]"
    + (if .arg == null then ""
       elif .choices then ":" + (.arg | zq) + ":(" + (.choices | join(" ")) + ")"
       else ":" + (.arg | zq) + ":_files" end);
  def zsh_args($c): of($c)[]
    | "'--" + .name + (if .arg then "=" else "" end) + (zsh_spec) + "' \\",
      (if .short then "'-" + .short + (if .arg then "+" else "" end) + (zsh_spec) + "' \\" else empty end);
  def zsh: (
    "#compdef " + $tool,
    "# made from " + $tool + " --describe",
    (if $commands == [] then
       "_arguments -s -S \\", ("    " + zsh_args(null)), "    '*:file:_files'"
     else
       "local curcontext=$curcontext state line",
       "_arguments -C '1:command:(" + ($commands | join(" ")) + ")' '*::argument:->rest'",
       "case $state in", "rest)", "    case $line[1] in",
       ( $commands[] as $c | "    " + $c + ")", "        _arguments -s -S \\",
         ("            " + zsh_args($c)), "            '*:file:_files'", "        ;;" ),
       "    esac", "    ;;", "esac" end) );
  if $shell == "zsh" then zsh else bash end
