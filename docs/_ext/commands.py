"""The help of ``kt`` as pages with index entries for the options, and colors for command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

import click
from docutils import nodes
from pygments.lexer import RegexLexer, bygroups, include
from pygments.token import Comment, Generic, Keyword, Name, Operator, String, Text
from sphinx.util.docutils import SphinxDirective

from kt_cp.cli.app import GROUPS, SUBCOMMANDS, load_command, sorted_options

_PROGRAMS = r"(?:kt|python3?|pip|cat|source|jupyter|docker|head|\.venv/bin/\w+)"


class TranscriptLexer(RegexLexer):
    """Highlights the lines that are commands; all other lines are what the commands print."""

    name = "Commands and their output"
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (rf"\$ (?={_PROGRAMS}\b)", Generic.Prompt, "command"),
            (rf"(?={_PROGRAMS} )", Text, "command"),
            (r".*\n", Generic.Output),
        ],
        "command": [(r"\n", Text, "#pop"), include("words")],
        "words": [
            (r"\\\n", Text),
            # Text for a command ends at a line with the word that stands here.
            (
                r"(<<'?)(\w+)('?.*\n)((?:.*\n)*?)(\2)(?=\n)",
                bygroups(Operator, String, Text, Text, String),
            ),
            (r"(?<!\S)#.*", Comment.Single),
            (r"(?<!\S)(kt)( +)([a-z]+)", bygroups(Name.Builtin, Text, Name.Function)),
            (rf"(?<!\S){_PROGRAMS}(?!\S)", Name.Builtin),
            (r"(?<!\S)--?[A-Za-z][\w-]*", Name.Attribute),
            (r"'[^'\n]*'|\"[^\"\n]*\"", String),
            (r"[|;&<>]+", Operator),
            (r"[^\s|;&<>'\"]+", Name),
            (r"[ \t]+|['\"]", Text),
        ],
    }


class ScriptLexer(TranscriptLexer):
    """Highlights lines all of which belong to a script for a shell."""

    name = "Commands"
    tokens: ClassVar[dict[str, Any]] = {
        **TranscriptLexer.tokens,
        "root": [
            (r"\n", Text),
            (r"(?<!\S)(?:if|then|elif|else|fi|for|in|do|done|while)(?!\S)", Keyword),
            include("words"),
        ],
    }


class CommandHelp(SphinxDirective):
    """``{kt-help} solve``: the help of a subcommand, with an index entry for each option.

    Without a name it lists all subcommands.
    """

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the help as the nodes of its Markdown."""
        lines = help_page(self.arguments[0]) if self.arguments else list_of_subcommands()
        return self.parse_text_to_nodes("\n".join(lines))


def list_of_subcommands() -> Iterator[str]:
    """Yield the lines of Markdown of a table of all subcommands, in the groups of the help."""
    yield from ("| command | what it does |", "|---|---|")
    for heading, names in GROUPS.items():
        yield f"| **{heading}** | |"
        for name in names:
            if name in SUBCOMMANDS:  # the command "help" has no section
                summary = _escaped(SUBCOMMANDS[name].summary)
                yield f"| [`kt {name}`](#kt-{name}) | {summary} |"


def help_page(name: str) -> Iterator[str]:
    """Yield the lines of Markdown that describe a subcommand."""
    command = load_command(name)
    context = click.Context(command, info_name=f"kt {name}", show_default=True)
    yield from ("```text", command.get_usage(context).removeprefix("Usage: "), "```", "")
    for paragraph in re.split(r"\n\s*\n", command.help or SUBCOMMANDS[name].summary):
        yield from (_escaped(" ".join(paragraph.split())), "")
    yield from (f"```{{program}} kt {name}", "```", "")
    for argument in command.params:
        record = argument.get_help_record(context)
        if record is not None and not isinstance(argument, click.Option):
            terms, meaning = record
            yield from (f"`{terms}`", f": {_escaped(meaning)}", "")
    usual, others = sorted_options(name, command.params)
    for heading, members in {"Options": usual, "More options": others}.items():
        if not members:
            continue
        yield from (f"**{heading}**", "")
        for option in members:
            record = option.get_help_record(context)
            if record is not None:
                signature = record[0].replace(" / ", ", ")
                yield from (f"````{{option}} {signature}", _escaped(record[1]), "````", "")
    yield from ("Examples:", "", "```text", *SUBCOMMANDS[name].examples, "```", "")


def _escaped(text: str) -> str:
    """Return plain text as Markdown: options as code, and no other markup."""
    parts = re.split(r"('[^']*'|(?<!\S)--[a-z][\w-]*)", text)
    for index, part in enumerate(parts):
        if index % 2:
            parts[index] = f"`{part.strip(chr(39))}`"
        else:
            parts[index] = re.sub(r"([\\`*_{}\[\]<>#|~$])", r"\\\1", part)
    return "".join(parts)


def list_subcommands(app: Any, page: str, text: list[str]) -> None:
    """Write a section for each subcommand in place of ``{kt-subcommands}``."""
    sections = (f"## kt {name}\n\n```{{kt-help}} {name}\n```\n" for name in SUBCOMMANDS)
    text[0] = text[0].replace("```{kt-subcommands}\n```\n", "\n".join(sections))


def setup(app: Any) -> dict[str, bool]:
    """Add the directive, the sections and the lexers to Sphinx."""
    app.connect("source-read", list_subcommands)
    app.add_directive("kt-help", CommandHelp)
    app.add_lexer("text", TranscriptLexer)
    app.add_lexer("console", TranscriptLexer)
    app.add_lexer("sh", ScriptLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
