"""postgres.py - a PostgreSQL server of its own, for as long as a test needs one.

Why: it does nothing by itself, so that what it does was asked for. May touch: the
directory it is given, /run/postgresql; starts and stops the server.
"""
import contextlib
import glob
import os
import pwd
import subprocess
from check import run

RUN = "/run/postgresql"
QUIET = ("jit=off", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0")


def installed():
    """Where its programs are, those of the newest version; None: nowhere."""
    return max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)


def command(program, *args):
    """The words that run one of its programs as its user."""
    user = pwd.getpwnam("postgres")
    return ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups",
            f"{installed()}/{program}", *args)


def psql(*statements):
    """The words that have statements carried out, which print values only."""
    return command("psql", "-q", "-A", "-t", "-d", "postgres",
                   *(word for text in statements for word in ("-c", text)))


def sql(*statements):
    """Their output."""
    return run(*psql(*statements)).strip()


@contextlib.contextmanager
def server(data, *settings):
    """Make a database in a directory that is not there yet; run it until the end."""
    user = pwd.getpwnam("postgres")
    for path in data, RUN:
        os.makedirs(path, exist_ok=path == RUN)
        os.chown(path, user.pw_uid, user.pw_gid)
    run(*command("initdb", "-D", data, "-A", "trust", "--no-sync", "-E", "UTF8",
                 "--locale=C"))
    options = " ".join(f"-c {setting}" for setting in settings + QUIET)
    # The server keeps what is its stdout open.
    subprocess.run(command("pg_ctl", "-D", data, "-w", "-l", f"{RUN}/log", "-o", options,
                           "start"), stdout=subprocess.DEVNULL, check=True)
    try:
        yield
    finally:
        subprocess.run(command("pg_ctl", "-D", data, "-w", "-m", "fast", "stop"),
                       stdout=subprocess.DEVNULL, check=True)
