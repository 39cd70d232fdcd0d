#!/usr/bin/env python3
# vm: --mem 2048 --packages ceph-mon,ceph-osd,ceph-mds,ceph-common
# kernels: none
# soak: 6.1 6.12 7.2
# minutes: 5
"""ceph.py - CephFS: what is read and written is counted, or unknown, and never 0.

A cluster of one monitor, one OSD in memory and one MDS, in the guest itself. CephFS
inserts pages of writes by ways of its own (ceph_write_iter(), ceph_write_begin()).
"""
import json
import os
import subprocess
import uuid
from check import PAGE, emptied, equal, finish, mincore, ok, run, tool

POINT = "/mnt/ceph"
FILE = f"{POINT}/file"
PAGES = 2048
CONF = """[global]
fsid = {fsid}
mon_host = [v2:127.0.0.1:3300,v1:127.0.0.1:6789]
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 512M
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
"""


def cluster():
    """Begun, with a filesystem, mounted."""
    fsid, osd = uuid.uuid4(), uuid.uuid4()
    for name in "mon/ceph-a", "osd/ceph-0", "mds/ceph-a":
        os.makedirs(f"/var/lib/ceph/{name}", exist_ok=True)
    for name in "/etc/ceph", "/run/ceph", "/var/log/ceph", POINT:
        os.makedirs(name, exist_ok=True)
    with open("/etc/ceph/ceph.conf", "w", encoding="ascii") as f:
        f.write(CONF.format(fsid=fsid))
    for command in (
            f"monmaptool --create --fsid {fsid} --addv a [v2:127.0.0.1:3300,v1:127.0.0.1:6789] /run/monmap",
            "ceph-mon --mkfs -i a --monmap /run/monmap", "ceph-mon -i a",
            f"ceph osd new {osd}", f"ceph-osd -i 0 --mkfs --osd-uuid {osd}", "ceph-osd -i 0",
            "ceph-mds -i a", "ceph osd pool create meta 8", "ceph osd pool create data 8",
            "ceph fs new fs meta data", f"mount -t ceph 127.0.0.1:6789:/ {POINT} -o name=admin"):
        run(*command.split())


def counted(what, *command):
    """The file's row of a run, whose audits agree and whose end is that of the command."""
    p = subprocess.run(["pcinspect", "run", "--json", "--mount", POINT, "--", *command],
                       stdout=subprocess.PIPE, check=False)
    report = json.loads(p.stdout)
    equal(f"{what}: status", p.returncode, 0)
    equal(f"{what}: every audit agrees", [a for a in report["audit"] if not a["ok"]], [])
    files = [f for f in report["files"] if f["path"] == FILE]
    ok(f"{what}: the file has a row", len(files) == 1, [f["path"] for f in report["files"]])
    return files[0]


def written(file):
    """The numbers that depend on the way of writing."""
    return (file["reads"]["inserted"]["write"], file["writeback"]["write_bytes"],
            file["writeback"]["amplification"])


cluster()
dd = ("dd", "if=/dev/zero", f"of={FILE}", "bs=1M", f"count={PAGES * PAGE >> 20}", "status=none")

got = counted("written", *dd)
equal("written: pages inserted, as mincore(2) has them",
      (got["reads"]["inserted_pages"], mincore(FILE)), (PAGES, PAGES))
equal("written: dirtied", got["writeback"]["dirtied_pages"], PAGES)
equal("written: by which calls is unknown, and not 0", written(got), (None,) * 3)

run("sync", FILE)
got = counted("overwritten", *dd, "conv=notrunc,fsync")
equal("overwritten: no page is inserted, all are dirtied",
      (got["reads"]["inserted_pages"], got["writeback"]["dirtied_pages"]), (0, PAGES))
equal("overwritten: by which calls is unknown", written(got), (None,) * 3)
equal("overwritten: and nothing is left dirty", got["pages"]["dirty"], 0)

emptied(FILE)
got = counted("read", "dd", f"if={FILE}", "of=/dev/null", "bs=64k", "status=none")
equal("read: bytes asked for", got["reads"]["demanded_bytes"], PAGES * PAGE)
equal("read: pages inserted, as mincore(2) has them",
      (got["reads"]["inserted_pages"], mincore(FILE)), (PAGES, PAGES))
equal("read: from no device that is seen", got["reads"]["device_bytes"], None)

run("pcinspect", "track", FILE)
run(*dd, "conv=notrunc")
run(*dd, f"seek={PAGES * PAGE >> 20}", "conv=notrunc")
got = tool("reads", FILE)["files"][0]
equal("tracked: pages inserted behind its end", got["reads"]["inserted_pages"], PAGES)
equal("tracked: by which calls is unknown", got["reads"]["inserted"]["write"], None)
run("pcinspect", "untrack", FILE)
equal("stat: as mincore(2)", tool("stat", FILE)["files"][0]["pages"]["cached"], mincore(FILE))
finish()
