"""The API of software metadata over HTTP: requests are read here, and answered from other rooms."""
