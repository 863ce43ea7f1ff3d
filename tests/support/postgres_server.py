"""A Postgres cluster of its own in a temporary folder, on a free port of this machine."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

PASSWORD = "Hush-hush-4711"
READER_PASSWORD = "Only-to-read-42"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "max_connections": "40",
    "shared_buffers": "32MB",
    "password_encryption": "scram-sha-256",
    # Neither UTC nor what a session may count on.
    "timezone": "America/New_York",
    "datestyle": "SQL, DMY",
}


def folder_of_programs() -> Path | None:
    """Return where `initdb` lies; None where Postgres is not installed."""
    given = os.environ.get("CONCEDE_POSTGRES_BIN")
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    places = [Path(given)] if given else versions
    found = shutil.which("initdb")
    places += [Path(found).parent] if found else []
    return next((place for place in places if (place / "initdb").exists()), None)


@dataclass
class PostgresServer:
    """A cluster that runs; everybody needs a password."""

    programs: Path
    data: Path
    port: int

    def address(self, database: str = "shop", user: str = "reader") -> str:
        """Return the address of a database, with the password."""
        password = READER_PASSWORD if user == "reader" else PASSWORD
        return f"postgres://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "shop") -> psycopg.Connection:
        """Return a connection that may write, of the owner."""
        return psycopg.connect(self.address(database, "postgres"), autocommit=True)

    def run(self, *statements: str, database: str = "shop") -> None:
        """Run statements as the owner."""
        with self.connect(database) as connection:
            for statement in statements:
                connection.execute(statement)

    def active(self) -> int:
        """Return how many statements of others than this one are being run."""
        with self.connect() as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
                "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchone()
        return int(row[0]) if row else 0


def _as_postgres(command: list[str]) -> None:
    """Run a program of Postgres, as the user `postgres` where this is root, who may not."""
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]
    subprocess.run(command, check=True, capture_output=True, timeout=120, cwd="/")


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Give a cluster with a database `shop` in UTF-8 and a role that may only read.

    Skips the test that asks where there is no Postgres, or no user to run it as.
    """
    programs = folder_of_programs()
    if programs is None:
        pytest.skip("no Postgres here: set CONCEDE_POSTGRES_BIN to the folder of initdb")
    folder = Path(tempfile.mkdtemp(prefix="concede-postgres-"))
    data, secret = folder / "data", folder / "secret"
    secret.write_text(PASSWORD)
    if os.geteuid() == 0:
        try:
            owner = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("Postgres does not run as root, and there is no user postgres")
        for path in (folder, secret):
            os.chown(path, owner.pw_uid, owner.pw_gid)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = PostgresServer(programs, data, port)
    try:
        _as_postgres(
            [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-E", "UTF8",
             "--locale=C.UTF-8", "-A", "scram-sha-256", f"--pwfile={secret}", "-N"]
        )  # fmt: skip
        told = [f"-c {name}={value!r}" for name, value in SETTINGS.items()]
        options = " ".join([f"-p {port}", f"-k {folder}", *told]).replace("'", '"')
        _as_postgres(
            [str(programs / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w",
             "-o", options, "start"]
        )  # fmt: skip
        server.run("CREATE DATABASE shop", database="postgres")
        server.run(
            f"CREATE ROLE reader LOGIN PASSWORD '{READER_PASSWORD}'",
            "ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader",
        )
        yield server
    finally:
        with suppress(subprocess.SubprocessError):
            _as_postgres([str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"])
        shutil.rmtree(folder, ignore_errors=True)
