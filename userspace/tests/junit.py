#!/usr/bin/python3
"""junit.py - what assert --junit writes, read by junitparser (Debian's python3-junitparser).

usage: junit.py TEST_LIMITS. Each limit is a case: passed, failed, or an error where nobody knows.
"""
import subprocess
import sys
from junitparser import Error, Failure, JUnitXml, TestSuite

bad = 0


def equal(name, got, want):
    global bad
    bad += got != want
    print(f"ok - junit: {name}" if got == want else f"not ok - junit: {name} # {got}, not {want}")


def main():
    text = subprocess.run([sys.argv[1], "print"], stdout=subprocess.PIPE, check=True).stdout
    suites = [s for s in JUnitXml.fromstring(text) if isinstance(s, TestSuite)]
    equal("a suite", [s.name for s in suites], ["pcinspect assert"])
    suite = suites[0]
    counts = suite.tests, suite.failures, suite.errors, suite.skipped
    equal("its counts", counts, (4, 2, 1, 0))
    suite.update_statistics()
    equal("which are those of its cases", (suite.tests, suite.failures, suite.errors,
                                           suite.skipped), counts)
    got = [(case.name, [(type(r), r.message) for r in case.result]) for case in suite]
    equal("a command's name is text", got[0],
          ("./a \"b\" <c> & 'd'\\012\\033\\377 ends with status 0", [(Failure, "status 3")]))
    equal("what holds, what does not", got[1:3],
          [("files<=9", []), ("wasted_pages<=1", [(Failure, "512 pages")])])
    equal("what nobody knows", (got[3][0], [kind for kind, _ in got[3][1]]),
          ("refault_pages=0", [Error]))
    sys.exit(bool(bad))


main()
