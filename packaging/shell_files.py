#!/usr/bin/env python3
"""Writes completions (bash, zsh, fish) and manual pages from what `sotto COMMAND --describe` says.

Usage: shell_files.py SOTTO FOLDER VERSION

FOLDER gets bash/sotto, zsh/_sotto, fish/sotto.fish and man/sotto*.1. The descriptions come from the tables that the
commands parse their flags by, so the files cannot know a flag that the program does not, or miss one.
"""

import json
import pathlib
import re
import subprocess
import sys


def describe(sotto, words):
    """The description of a command or a group of commands, and those below it."""
    text = subprocess.run([sotto, *words, "--describe"], check=True, capture_output=True, text=True).stdout
    description = json.loads(text)
    description["words"] = words
    description["below"] = [describe(sotto, words + [command["name"]]) for command in description.get("commands", [])]
    return description


def all_commands(description):
    yield description
    for below in description["below"]:
        yield from all_commands(below)


def flag_names(description):
    return [name for flag in description.get("flags", []) for name in flag["names"]]


def is_path(flag):
    """Whether a file or a folder stands behind the flag, alone or within its value."""
    return re.search(r"FILE|DIR|PATH|DATA", flag["value"]) is not None


def key_of(description):
    return " ".join(description["words"])


def bash(root):
    lines = ["# bash completion for sotto", "_sotto_words() {", '  case "$1" in']
    for command in all_commands(root):
        words = [below["words"][-1] for below in command["below"]] + flag_names(command)
        if command["below"]:
            words += ["--help"] if command["words"] else ["help", "--help", "--version"]
        lines.append(f"    '{key_of(command)}') echo '{' '.join(words)}' ;;")
    lines += ["  esac", "}", "_sotto_values() {", '  case "$1" in']
    for command in all_commands(root):
        for flag in command.get("flags", []):
            words = flag.get("words", [])
            for name in flag["names"] if words else []:
                lines.append(f"    '{key_of(command)} {name}') echo '{' '.join(words)}' ;;")
    lines += ["  esac", "}", ""]
    groups = "|".join(f"'{key_of(c)}'" for c in all_commands(root) if c["below"] and c["words"])
    lines += [
        "_sotto() {",
        '  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=',
        "  if [ \"$COMP_CWORD\" -gt 1 ]; then",
        "    command=${COMP_WORDS[1]}",
        '    case "$command" in',
        f"      {groups}) [ \"$COMP_CWORD\" -gt 2 ] && command+=\" ${{COMP_WORDS[2]}}\" ;;",
        "    esac",
        "  fi",
        '  local values; values=$(_sotto_values "$command $previous")',
        '  if [ -n "$values" ]; then',
        '    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")',
        '  elif [[ $current == -* || -z $command || " gan rappor " == *" $command "* ]]; then',
        '    mapfile -t COMPREPLY < <(compgen -W "$(_sotto_words "$command")" -- "$current")',
        "  else",
        '    mapfile -t COMPREPLY < <(compgen -f -- "$current")',
        "  fi",
        "}",
        "complete -o filenames -F _sotto sotto",
        "",
    ]
    names = " ".join(key_of(c) for c in all_commands(root) if c["below"] and c["words"])
    return "\n".join(lines).replace(" gan rappor ", f" {names} ")


def zsh_text(text):
    return re.sub(r"([\[\]:'\\])", r"\\\1", text).replace("\\'", "'\\''")


def zsh(root):
    lines = ["#compdef sotto", "", "_sotto() {", '  local command="${words[2]}"', "  if (( CURRENT == 2 )); then"]
    lines += zsh_commands(root, "    ") + ["    return", "  fi", '  case "$command" in']
    for command in root["below"]:
        lines.append(f"    {command['words'][-1]})")
        if command["below"]:
            lines += ["      if (( CURRENT == 3 )); then"] + zsh_commands(command, "        ")
            lines += ["        return", "      fi", '      case "${words[3]}" in']
            for below in command["below"]:
                lines += [f"        {below['words'][-1]})", *zsh_flags(below, "          "), "          ;;"]
            lines += ["      esac"]
        else:
            lines += zsh_flags(command, "      ")
        lines.append("      ;;")
    return "\n".join(lines + ["  esac", "}", "", '_sotto "$@"', ""])


def zsh_commands(group, indent):
    lines = [f"{indent}local -a commands=("]
    for command in group["commands"]:
        lines.append(f"{indent}  '{zsh_text(command['name'])}:{zsh_text(command['purpose'])}'")
    return lines + [f"{indent})", f"{indent}_describe command commands"]


def zsh_action(flag):
    """What is typed behind a flag: its words, a path, or something that only its name hints at."""
    if flag["words"]:
        return f":value:({' '.join(flag['words'])})"
    return f":{zsh_text(flag['value'])}:" + ("_files" if is_path(flag) else " ")


def zsh_flags(command, indent):
    lines = [f"{indent}_arguments \\"]
    for flag in command["flags"]:
        action = zsh_action(flag) if flag["takes_value"] else ""
        for name in flag["names"]:
            lines.append(f"{indent}  '*{name}[{zsh_text(flag['help'])}]{action}' \\")
    return lines + [f"{indent}  '*:file:_files'"]


def fish_text(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def fish_value(flag):
    if flag["words"]:
        return f" -x -a '{' '.join(flag['words'])}'"
    return " -r" if is_path(flag) else " -x"


def fish(root):
    lines = ["# fish completion for sotto", "complete -c sotto -n __fish_use_subcommand -f"]
    for command in root["commands"]:
        lines.append(f"complete -c sotto -n __fish_use_subcommand -a {command['name']} -d '{fish_text(command['purpose'])}'")
    for command in all_commands(root):
        seen = " && ".join(f"__fish_seen_subcommand_from {word}" for word in command["words"])
        for below in command.get("commands", []) if command["words"] else []:
            lines.append(f"complete -c sotto -f -n '{seen}' -a {below['name']} -d '{fish_text(below['purpose'])}'")
        for flag in command.get("flags", []):
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag["names"])
            taken = fish_value(flag) if flag["takes_value"] else ""
            lines.append(f"complete -c sotto -n '{seen}' {names}{taken} -d '{fish_text(flag['help'])}'")
    return "\n".join(lines) + "\n"


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def manual_page(description, version):
    name = "-".join(["sotto", *description["words"]])
    call = " ".join(["sotto", *description["words"]])
    purpose = description["description"].splitlines()[0]
    lines = [f'.TH {name.upper()} 1 "" "sotto {version}" "User Commands"', ".SH NAME", f"{roff(name)} \\- {roff(purpose)}"]
    lines += [".SH SYNOPSIS", f".B {roff(call)}"]
    if description["below"]:
        lines += ["COMMAND [FLAGS]", ".SH COMMANDS"]
        for command in description["commands"]:
            lines += [".TP", f".B {roff(command['name'])}", roff(command["purpose"])]
    else:
        lines.append("[FLAGS] " + " ".join(roff(argument["name"]) for argument in description["arguments"]))
        if description["arguments"]:
            lines.append(".SH ARGUMENTS")
        for argument in description["arguments"]:
            lines += [".TP", f".B {roff(argument['name'])}", roff(argument["help"])]
        lines.append(".SH FLAGS")
        for flag in description["flags"]:
            lines += [".TP", ".B " + roff(", ".join(flag["names"])) + (f" \\fI{roff(flag['value'])}\\fR" if flag["takes_value"] else "")]
            lines.append(roff(flag["help"]))
    footer = description["footer"].strip("\n")
    if footer:
        lines += [".SH NOTES", ".nf", roff(footer), ".fi"]
    lines += [".SH EXIT STATUS", "0 if all went well, 1 if the work failed, 2 for bad usage or bad input."]
    lines += [".SH SEE ALSO"]
    others = [["sotto"]] if description["words"] else []
    others += [["sotto", *below["words"]] for below in description["below"]]
    lines.append(",\n".join(f".BR {roff('-'.join(words))} (1)" for words in others).replace(" (1),", " (1),"))
    return name, "\n".join(lines) + "\n"


def main():
    sotto, folder, version = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    root = describe(sotto, [])
    files = {"bash/sotto": bash(root), "zsh/_sotto": zsh(root), "fish/sotto.fish": fish(root)}
    for command in all_commands(root):
        name, page = manual_page(command, version)
        files[f"man/{name}.1"] = page
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


if __name__ == "__main__":
    main()
