"""Swift source with what is no code blanked out, line for line, so that a pattern can be looked for in it."""

import re

# Comments nest in Swift, so block comments are counted; everything else is one pattern.
TOKEN = re.compile(r"""
    //[^\n]* | /\* | \*/ |
    (?P<raw>\#+)?"(?P<multi>"")? | \n | [^\n]
""", re.VERBOSE)


def blank(text):
    """Spaces for every character that is kept out of sight, so that lines and columns stay."""
    return re.sub(r"[^\n]", " ", text)


def code_only(text):
    """The text without comments and without what string literals hold."""
    out, position, depth = [], 0, 0
    while position < len(text):
        token = TOKEN.match(text, position)
        word = token.group()
        if word == "/*":
            depth += 1
        if depth > 0 or word.startswith("//"):
            out.append(blank(word))
            position = token.end()
            depth -= word == "*/"
        elif word.endswith('"'):
            end = literal_end(text, token)
            out.append('"' + blank(text[position + 1:end - 1]) + '"')
            position = end
        else:
            out.append(word)
            position = token.end()
    return "".join(out)


def literal_end(text, token):
    """Where the string literal that starts with this token ends. Interpolations are taken for text."""
    hashes = token.group("raw") or ""
    closing = ('"""' if token.group("multi") else '"') + hashes
    position = token.end()
    while position < len(text):
        if text.startswith("\\" + hashes, position):
            position += 2 + len(hashes)
        elif text.startswith(closing, position):
            return position + len(closing)
        elif text[position] == "\n" and not token.group("multi"):
            return position  # not closed: the compiler's matter
        else:
            position += 1
    return len(text)


ON_IOS = {"os": {"iOS"}, "targetEnvironment": {"simulator"}}
NOT_ON_IOS = {"Glibc", "Musl", "Android", "WinSDK", "Bionic", "WASILibc", "FoundationNetworking", "FoundationXML",
              "FoundationEssentials", "FoundationInternationalization", "AppleFoundation", "AppleDevice"}


def on_ios(text):
    """The text without the branches of `#if` that are not built for iOS."""
    out, taken = [], []  # for each open #if: whether this branch is built, and whether an earlier one was
    for line in text.split("\n"):
        word = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if word and word.group(1) == "if":
            holds = holds_on_ios(word.group(2))
            taken.append((holds, holds))
        elif word and word.group(1) == "elseif" and taken:
            holds = not taken[-1][1] and holds_on_ios(word.group(2))
            taken[-1] = (holds, taken[-1][1] or holds)
        elif word and word.group(1) == "else" and taken:
            taken[-1] = (not taken[-1][1], True)
        elif word and word.group(1) == "endif" and taken:
            taken.pop()
        elif all(is_built for is_built, _ in taken):
            out.append(line)
            continue
        out.append(blank(line))
    return "\n".join(out)


def holds_on_ios(condition):
    """Whether the condition of an `#if` holds there; one that this does not understand is taken to hold."""
    def known(match):
        function, argument = match.group(1), match.group(2).strip()
        if function in ON_IOS:
            return str(argument in ON_IOS[function])
        return str(argument not in NOT_ON_IOS if function == "canImport" else True)

    words = re.sub(r"(\w+)\(([^()]*)\)", known, condition)
    words = re.sub(r"\b(?!True\b|False\b)\w+", "True", words)
    words = words.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    try:
        return bool(eval(words, {"__builtins__": {}}))  # nothing but the two values and three operators is left
    except SyntaxError:
        return True
