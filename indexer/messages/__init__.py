"""What travels through a pipeline, and what handles it: values and protocols, without I/O.

Send, Delivery     a message on its way out, and on its way in
Worker, Producer   what a program is
Outcome            what became of one message: policy as a pure function
Pipeline           a flavor as data, compiled to queues, exchanges and bindings
"""
