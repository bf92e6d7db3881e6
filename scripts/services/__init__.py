"""The real servers that tests run against, on free ports of loopback, without a container engine.

    make services        python3 -m scripts.services start
    make services-stop   python3 -m scripts.services stop

    Debian packages → other downloads → new folder and configuration → start → wait for an answer

Each service is one module: its installation, its configuration, and the check that it answers.
Downloads and builds stay in a cache; data is new at each start, and removed at the stop. Only the
standard library is used, because this runs before anything is installed.
"""
