"""The start, the loop and the end of a program: options, logs, metrics, signals, exit status.

    main → options → logs → metrics → broker → loop → exit status

The work that a program does with a message is in `workers/`.
"""
