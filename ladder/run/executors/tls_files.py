"""Certificates for the connections of a cluster: each machine that has the same files belongs to it.

A folder holds ca.pem, which says whom to trust, and cert.pem and key.pem, by which a machine is known.  The
key of the authority is thrown away once it has signed that one certificate, so no other one can be made.
"""

import os
import shlex
import signal
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import msgspec
from distributed import Security

from ladder.errors import UsageProblem

MOST_BYTES = 65_536
"""The most that are read of certificates which are sent."""


class TlsFiles(msgspec.Struct, frozen=True):
    """What the files hold, as PEM."""

    ca: str
    cert: str
    key: str

    def security(self) -> Security:
        """Return them as Dask takes them, for every role in a cluster."""
        roles = ("client", "scheduler", "worker")
        certs = {f"tls_{role}_cert": self.cert for role in roles}
        keys = {f"tls_{role}_key": self.key for role in roles}
        return Security(require_encryption=True, tls_ca_file=self.ca, **certs, **keys)


class SentToWorker(msgspec.Struct, frozen=True):
    """What a run sends to a worker that it starts by ssh."""

    tls: TlsFiles
    versions: dict[str, str]
    """The versions that the worker must have as well."""


def tls_settings(tls: TlsFiles) -> dict[str, object]:
    """Return *tls* as settings of Dask for a worker."""
    return {
        "distributed.comm.require-encryption": True,
        "distributed.comm.tls.ca-file": tls.ca,
        "distributed.comm.tls.worker.cert": tls.cert,
        "distributed.comm.tls.worker.key": tls.key,
    }


def make_tls(days: int) -> TlsFiles:
    """Return new certificates that are valid for *days* days."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    authority, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    names = [
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]) for name in ("ladder CA", "ladder cluster")
    ]
    now = datetime.now(UTC)

    def certificate(name: x509.Name, key: ec.EllipticCurvePrivateKey, *, is_ca: bool) -> str:
        parts: list[tuple[x509.ExtensionType, bool]] = [
            (x509.BasicConstraints(ca=is_ca, path_length=0 if is_ca else None), True),
            (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
            (x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), False),
        ]
        if is_ca:  # without its usage, to sign certificates, Python 3.13 refuses it
            parts.append((x509.KeyUsage(*(part == 5 for part in range(9))), True))
        else:
            uses = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            parts.append((x509.ExtendedKeyUsage(uses), False))
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(names[0])
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - timedelta(days=1))  # clocks of other machines may be behind
        builder = builder.not_valid_after(now + timedelta(days=days))
        for part, is_critical in parts:
            builder = builder.add_extension(part, critical=is_critical)
        return builder.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM).decode()

    return TlsFiles(
        ca=certificate(names[0], authority, is_ca=True),
        cert=certificate(names[1], own, is_ca=False),
        key=own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode(),
    )


def write_tls(folder: Path, days: int) -> None:
    """Make certificates for *days*, private, below *folder*.  Raises UsageProblem for older ones, OSError."""
    for path in _paths(folder).values():
        if path.exists():
            raise UsageProblem(
                f"{path} is there already: machines may use it",
                f"name another folder; or, to shut out the machines that have it: rm -r {_quote(folder)}",
            )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = msgspec.structs.asdict(make_tls(days))
    for name, path in _paths(folder).items():
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made[name])


def read_sent(pipe: int) -> SentToWorker:
    """Return what a run sends to this worker in a line, through a file descriptor.

    When the run closes it, or is killed, this process gets SIGTERM.  Raises UsageProblem.
    """
    line = b""
    while not line.endswith(b"\n") and (read := os.read(pipe, MOST_BYTES)) and len(line) < MOST_BYTES:
        line += read
    try:
        sent = msgspec.json.decode(line, type=SentToWorker)
    except msgspec.DecodeError as error:
        raise UsageProblem(
            f"no certificates came: {error}", "--tls FOLDER; --tls - is what `ladder run --on ssh:FILE` uses"
        ) from None

    def wait_for_end() -> None:
        while os.read(pipe, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=wait_for_end, daemon=True).start()
    return sent


def read_tls(folder: Path) -> TlsFiles:
    """Return the certificates in *folder*.  Raises UsageProblem if others can read the key, or one is bad."""
    paths = _paths(folder)
    try:
        texts = {name: path.read_text("ascii") for name, path in paths.items()}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(
            f"{folder} holds no certificates: {error}", f"ladder tls {_quote(folder)}, which makes some"
        ) from None
    if paths["key"].stat().st_mode & 0o077:
        raise UsageProblem(
            f"others can read {paths['key']}, which lets them into the cluster",
            f"chmod 600 {_quote(paths['key'])}",
        )
    tls = TlsFiles(**texts)
    try:
        if not all(texts.values()):
            raise ValueError("a file is empty")
        tls.security().get_connection_args("client")
    except (ssl.SSLError, ValueError) as error:
        raise UsageProblem(
            f"the certificates in {folder} cannot be used: {error}",
            "copy the folder again, whole, from the machine where it was made",
        ) from None
    return tls


def _paths(folder: Path) -> dict[str, Path]:
    return {name: folder / f"{name}.pem" for name in TlsFiles.__struct_fields__}


def _quote(path: Path) -> str:
    return shlex.quote(str(path))
