"""Stack files: what Docker is told of a flavor in a realm, made of the data in `pipeline.py`.

    a flavor + a realm + a configuration → StackPlan → compose() → text for `docker stack deploy`

    realms          prod, staging and dev: their servers, samples and ports
    configuration   the operator's settings; secrets are files
    programs        the services of programs
    servers         the services of brokers, databases and the like
    compose         the whole file

It knows no family: steps, services and settings are data that it is given.
"""
