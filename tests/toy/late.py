"""The toy worker that takes seconds to start: its messages are queued long before it runs."""

import sys
import time

from tests.toy.work import main

if __name__ == "__main__":
    time.sleep(4)
    sys.exit(main())
