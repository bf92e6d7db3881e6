"""Messages and the programs that handle them, as values and protocols: no I/O.

Send, Delivery     a message on its way to the broker, and a message received from it
Worker, Producer   the interfaces of programs
Outcome            the result of handling one message, and the policy that decides it
Pipeline           a flavor as data, compiled to queues, exchanges and bindings
"""
