"""What a Swift 5.9 compiler cannot read. No such compiler is at hand, so this is a list, and the list is a proxy."""

import re

from swift_text import code_only

RULES = [(re.compile(pattern, re.MULTILINE), what) for pattern, what in [
    (r",\s*\)", "a trailing comma in a list of arguments, parameters or elements (6.1)"),
    (r"<[^<>{}()=]*\w,\s*>", "a trailing comma in a generic list (6.1)"),
    (r"\bthrows\s*\(", "typed throws (6.0)"),
    (r"\bdo\s+throws\b", "typed throws (6.0)"),
    (r"(?::|->)\s*sending\s+[\w\[(@]", "sending (6.0)"),
    (r"#isolation\b", "#isolation (6.0)"),
    (r"~Escapable\b", "~Escapable (6.2)"),
    (r"^(?!\s*(?:\w+\s+|@\w+(?:\([^)]*\))?\s+)*(?:struct|enum)\s+\w+\s*:[^<{]*~Copyable).*~Copyable\b",
     "~Copyable in generics, protocols and extensions (6.0)"),
    (r"\bnonisolated\s*\(\s*unsafe\s*\)", "nonisolated(unsafe) (5.10)"),
    (r"\bnonisolated\s*\(\s*nonsending\s*\)", "nonisolated(nonsending) (6.2)"),
    (r"\bnonisolated\s+(?:\w+\s+)*(?:struct|class|enum|extension|protocol)\b", "nonisolated types (6.1)"),
    (r"@concurrent\b", "@concurrent (6.2)"),
    (r"\bisolated\s+deinit\b", "isolated deinit (6.1)"),
    (r"@isolated\s*\(\s*any\s*\)", "@isolated(any) (6.0)"),
    (r"@retroactive\b", "@retroactive (6.0)"),
    (r"[:,]\s*@preconcurrency\b", "@preconcurrency conformances (6.0)"),
    (r"^\s*(?:public|package|internal|private|fileprivate)\s+import\b", "access levels on imports (6.0)"),
    (r"\b(?:any|some)\s+AsyncSequence\s*<", "AsyncSequence with type arguments (6.0)"),
    (r"\bwith(?:Throwing)?(?:Discarding)?TaskGroup\s*(?:\(\s*returning\b|\(\s*\)|\{)", "task groups without `of:` (6.1)"),
    (r"\b(?:Task|addTask)\s*\(\s*name\s*:", "names of tasks (6.2)"),
    (r"\.count\s*\(\s*where\b|\bcount\s*\(\s*where\b", "count(where:) (6.0)"),
    (r"\[\s*\d+\s+of\s+\w", "[n of T] (6.2)"),
    (r"\bInlineArray\b", "InlineArray (6.2)"),
    (r"\bfor\s+\w+\s+in\s+repeat\b", "loops over packs (6.0)"),
    (r"`[^`\n]*[^`\w\n][^`\n]*`", "raw identifiers (6.2)"),
    (r"^\s*@(?:Test|Suite)\b", "Swift Testing (6.0); tests are XCTest"),
]]


def check(text):
    """The line number of each piece that is too new, and what it is. All of the text is looked at: `#if` does not keep
    the parser out."""
    code = code_only(text)
    found = {(code.count("\n", 0, match.start() + len(match.group()) - len(match.group().lstrip())) + 1, what)
             for rule, what in RULES for match in rule.finditer(code)}
    return sorted(found)
