"""Hostile requests to a door, drawn at random."""

from random import Random
from typing import Any

METHODS = (
    *("GET", "PUT", "POST", "HEAD", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "put", "P\x00T", ""),
)
PATHS = ("bots/{}", "bots/{}", "uploads", "uploads/{}", "me", "wishes", "bots/{}/feedback", "leaderboard/{}")
NAMES = (
    *(
        "a.py",
        "b.zip",
        "..",
        "../a.py",
        "%2e%2e%2fa.py",
        "..%2f..%2fa.py",
        "a%00.py",
        "a\\..\\b.py",
        "%c0%ae%c0%ae",
    ),
    *(
        ".a.py",
        "a.py.part",
        "a.wish.toml",
        "bot.toml",
        "x" * 300 + ".py",
        "%ff%fe.py",
        "\u212b.py",
        "A.PY",
        "first.py",
    ),
    *("a.py/", "/etc/passwd", "~a.py", "a.py?x=1", "a.py#x", "CON.py", "a.py%20", "-rf.py", "$(id).py", ""),
)
WISHES = (
    *(
        b'{"wish":"retire","bot":"a"}',
        b'{"wish":"rename","bot":"a","to":"../b"}',
        b'{"wish":["retire"]}',
        b"[" * 3000,
    ),
    *(
        b"null",
        b'{"wish":"retire","bot":"a\\u0000"}',
        b'{"a":' + b"9" * 4000 + b"}",
        b"\xff\xfe",
        b"",
        b" " * 90_000,
    ),
)


def a_request(random: Random, tokens: list[str], *more: tuple[str, str]) -> bytes:
    """Return the bytes of a request: a good one, of which some parts are hostile, with *more* heads."""

    def choose(good: Any, *others: Any) -> Any:
        return random.choice(others) if random.random() < 0.2 else good

    path = choose("bots/{}", *PATHS).replace(
        "{}", choose(random.choice(("a.py", "b.zip", "first.py")), *NAMES)
    )
    wish = random.choice(WISHES)
    body = wish if path == "wishes" else choose(b"print(1)\n", b"", wish, random.randbytes(3000))
    method = choose("POST" if path == "wishes" else "PUT" if path.startswith("bots") else "GET", *METHODS)
    token = choose(random.choice(tokens), "ldr_" + "A" * 43, tokens[0][:-1], "", "\x7f", "x" * 9000)
    host = choose("localhost", "evil.example", "localhost:x", "")
    length = choose(len(body), len(body) + 5, max(0, len(body) - 5), -1, "0x5", 10**30, 60_000_000, "5, 5")
    heads = [*more, ("Host", host), ("Authorization", f"Bearer {token}"), ("Content-Length", length)]
    others = (
        *(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "gzip, chunked"), ("Content-Length", "7")),
        *(("Authorization", "Bearer b"), ("Origin", "http://evil.example"), ("Expect", "100-continue")),
        *(("Upgrade", "websocket"), ("X-" + "a" * 40_000, "a"), ("Connection", "close"), ("A b", "c")),
    )
    heads += random.sample(others, choose(0, 1, 2))
    random.shuffle(heads)
    end = choose("\r\n", "\n", "\r", "\r\n ")
    root = choose("/api/v1/", "/", "//api/v1/", "/api/v1/../v1/")
    lines = [f"{method} {root}{path} HTTP/1.1", *(f"{name}: {value}" for name, value in heads), "", ""]
    sent = end.join(lines).encode("utf-8") + body
    return sent[: choose(len(sent), random.randrange(1, len(sent)))]
