"""A toy family on an exchange that foreign programs share.

    requester → job.start.red.paint → red-painter → job.status.red.paint → requester
              → job.start.green.paint: nobody serves it, so it comes back
              → job.stop.red.paint → each running red-painter, in a queue of its own that expires
    painters  → log.painted: nobody listens

Its messages are notes: a routing key and a text.
"""
