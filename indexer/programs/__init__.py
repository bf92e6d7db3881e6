"""How a program starts, serves and ends: options, logs, metrics, signals, exit status.

    main → options → logs → metrics → broker → loop → exit status

What a program does with a message is in `workers/`.
"""
