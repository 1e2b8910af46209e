"""Certificates let machines into a cluster, and keep out those without."""

import json
import ssl
from contextlib import suppress

import pytest
from support import ladders
from support.clusters import FEW, Cluster, a_home, need_dask, result
from support.command_line import run_apart, run_here
from support.need import need

from ladder.errors import UsageProblem

pytestmark = pytest.mark.tools


@pytest.fixture(autouse=True)
def tls_files(monkeypatch):
    need_dask(monkeypatch)
    need("cryptography")
    return need("ladder.run.executors.tls_files")


@pytest.fixture
def folder(tmp_path, tls_files):
    tls_files.write_tls(tmp_path / "tls", 2)
    return tmp_path / "tls"


def test_only_their_owner_can_read_the_files(folder):
    files = {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}
    assert {"ca.pem": "0o600", "cert.pem": "0o600", "key.pem": "0o600"} == files
    assert 0o700 == folder.stat().st_mode & 0o777


def test_files_are_never_overwritten(folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, _, err = run_here("tls", folder)
    assert 2 == code
    assert f"{folder}/ca.pem is there already" in err
    assert before == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_they_are_valid_for_as_many_days_as_are_asked_for(folder):
    told = ssl._ssl._test_decode_cert(str(folder / "cert.pem"))  # type: ignore[attr-defined]  # of the library's own tests
    begin, end = (ssl.cert_time_to_seconds(told[key]) for key in ("notBefore", "notAfter"))
    assert 3 * 86_400 == end - begin  # two days, and one for clocks that are behind


def test_a_key_that_others_can_read_is_refused(folder, tls_files):
    (folder / "key.pem").chmod(0o640)
    with pytest.raises(UsageProblem, match=r"others can read .*key\.pem") as caught:
        tls_files.read_tls(folder)
    assert f"chmod 600 {folder}/key.pem" == caught.value.hint


@pytest.mark.parametrize("bad", ["", "-----BEGIN CERTIFICATE-----\n", "\x00", "é"])
@pytest.mark.parametrize("name", ["ca.pem", "cert.pem", "key.pem"])
def test_files_that_are_damaged_are_refused(folder, tls_files, name, bad):
    (folder / name).write_text(bad)
    with pytest.raises(UsageProblem, match="certificates"):
        tls_files.read_tls(folder)


def test_a_folder_without_certificates_is_refused_with_what_makes_some(tmp_path):
    code, _, err = run_here("worker", "tls://127.0.0.1:1", "--tls", tmp_path)
    assert 2 == code
    assert f"{tmp_path} holds no certificates" in err
    assert f"ladder tls {tmp_path}" in err


def test_certificates_of_the_settings_are_below_the_home(tmp_path):
    home = ladders.a_home(tmp_path / "home", {}, '[run]\ntls = "none"\n')
    code, _, err = run_here("run", "--home", home.path, "--on", "tls://127.0.0.1:1")
    assert 2 == code
    assert f"{home.path}/none holds no certificates" in err


@pytest.mark.slow
def test_a_run_over_tls_is_the_same_and_machines_without_the_files_are_refused(
    folder, tmp_path, monkeypatch, tls_files
):
    alone, home = (a_home(tmp_path / name) for name in ("alone", "home"))
    ladders.play(alone, **FEW)
    tls_files.write_tls(tmp_path / "others", 1)
    (tmp_path / "cluster").mkdir()
    cluster = Cluster(tmp_path / "cluster", folder)
    try:
        cluster.start(1)
        there = cluster.address
        options = ["--games", str(FEW["matches"]), "--seed", str(FEW["seed"]), "--home", home.path]
        with (home.path / "ladder.toml").open("a") as settings:  # its [run] says what is played
            settings.write(f'tls = "{folder}"\n')
        done = run_apart("run", *options, "--json", "--on", there, cwd=tmp_path)
        stranger = run_here("worker", there, "--tls", tmp_path / "others")
        without = run_here("worker", there)
        monkeypatch.setattr("ladder.run.executors.scheduler.GREET_SECONDS", 0.5)
        plain = run_here("run", *options, "--on", there.replace("tls", "tcp"))
    finally:
        cluster.stop()
    assert 0 == done.code, done.err
    assert result(alone) == result(home)
    (worker,) = json.loads(done.out)["workers"]
    assert (FEW["matches"], 1, None) == (worker["matches"], worker["processes"], worker["from_mean"])
    assert (2, 2, 2) == (stranger.code, without.code, plain.code)
    assert f"the scheduler at {there} and this machine do not trust each other: CERT" in stranger.err
    assert f"{there} needs certificates\n  next: --tls FOLDER" in without.err
    assert "says nothing: it may want TLS" in plain.err
    assert "Traceback" not in (tmp_path / "cluster/log").read_text()


def test_they_hold_by_the_strict_rules_that_python_has_from_3_13_on(folder):
    ends: list[ssl.SSLContext] = []
    for purpose in (ssl.Purpose.CLIENT_AUTH, ssl.Purpose.SERVER_AUTH):
        context = ssl.create_default_context(purpose, cafile=str(folder / "ca.pem"))
        context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
        context.check_hostname, context.verify_mode = False, ssl.CERT_REQUIRED
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        ends.append(context)
    one, other = ssl.MemoryBIO(), ssl.MemoryBIO()
    server, client = ends[0].wrap_bio(one, other, server_side=True), ends[1].wrap_bio(other, one)
    for end in (client, server) * 3:
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()
    assert server.getpeercert()
    assert client.getpeercert()
