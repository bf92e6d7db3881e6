"""A Docker engine of its own for the tests of the image and of the stack, which leaves nothing.

    make test-deploy     python3 -m scripts.docker start, the tests, python3 -m scripts.docker stop

    Debian's packages → engine in namespaces of its own → base images → images of the servers

No image can be pulled where the tests run, so the base is made from Debian's packages, and the
servers from what `scripts.services` installs. Only the standard library is used.
"""
