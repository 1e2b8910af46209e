"""Who a visitor is, and what one of them may have."""

import pytest

from ladder.web.serve.visitors import Proxy, Shares, visitor_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:DB8:1:2::1", "2001:db8:1:2::2", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("127.0.0.1", "::1", False),
    ],
)
def test_these_are_one_visitor_or_two(one, other, same):
    assert same == (visitor_of(one) == visitor_of(other))


@pytest.mark.parametrize(
    ("header", "values", "visitor"),
    [
        ("x-forwarded-for", ["192.0.2.7"], "192.0.2.7"),
        ("x-forwarded-for", ["10.0.0.1, 192.0.2.7"], "192.0.2.7"),
        ("x-forwarded-for", ["10.0.0.1", "10.0.0.2,192.0.2.7"], "192.0.2.7"),
        ("x-forwarded-for", ["192.0.2.7:5012"], "192.0.2.7"),
        ("x-forwarded-for", ["[2001:db8::7]:5012"], "2001:db8::/64"),
        ("x-forwarded-for", ["2001:db8::7"], "2001:db8::/64"),
        ("x-real-ip", ["192.0.2.7"], "192.0.2.7"),
        ("forwarded", ['for=10.0.0.1, for="[2001:db8::7]:80";proto=https'], "2001:db8::/64"),
        ("forwarded", ["proto=http;For=192.0.2.7"], "192.0.2.7"),
        ("forwarded", ["192.0.2.7"], None),
        ("x-forwarded-for", ["192.0.2.7, unknown"], None),
        ("x-forwarded-for", ["192.0.2.7,"], None),
        ("x-forwarded-for", ["\xff"], None),
        ("x-forwarded-for", [], None),
    ],
)
def test_the_last_entry_of_the_header_that_was_named_counts(header, values, visitor):
    others = [(b"x-forwarded", b"198.51.100.1"), (b"client-ip", b"198.51.100.1")]
    sent = [(header.encode(), value.encode("latin-1")) for value in values]
    assert visitor == Proxy(header).visitor([*others, *sent, *others])


def test_a_proxy_is_on_this_machine_or_where_it_was_named():
    here, named = Proxy("x"), Proxy("x", "2001:db8::5")
    assert [True, True, True, False] == [
        here.is_at(peer) for peer in ("127.0.0.1", "127.0.0.9", "::1", "192.0.2.1")
    ]
    assert [True, False, False] == [
        named.is_at(peer) for peer in ("2001:DB8:0::5", "2001:db8::6", "127.0.0.1")
    ]


def test_one_visitor_has_at_most_a_quarter_and_gives_back_what_they_had():
    shares = Shares(8)
    assert [True, True, False] == [shares.take("a") for _ in range(3)]
    shares.give_back("a")
    assert [True, False] == [shares.take("a") for _ in range(2)]
    assert [True] * 6 == [shares.take(visitor) for visitor in "bbccdd"]
    assert not shares.take("e"), "all are taken"
    shares.give_back("d")
    assert shares.take("e")
