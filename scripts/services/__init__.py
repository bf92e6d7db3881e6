"""The real servers that tests run against, on free ports of loopback, without a container engine.

    make services        python3 -m scripts.services start
    make services-stop   python3 -m scripts.services stop

    Debian packages → what else it needs → fresh folder and configuration → start → it answers

Each service is one module: what it needs, how it is configured and started, how it answers.
What was downloaded or built stays in a cache; data is made anew at each start and removed at the
stop. Only the standard library: this runs before anything is installed.
"""
