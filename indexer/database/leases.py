"""Leases: columns by which one process at a time holds a row of a table, until a time.

    free → leased → renewed … → released, or expired and so free again

Each lease has a name of its own, the `lease_owner`. A holder whose lease has expired may still be
at work: all its statements have the condition that the row still has the name of its lease.
"""

import secrets
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, Column, ColumnElement, DateTime, String, Table, or_

RELEASED: Final = {"lease_owner": None, "lease_expires": None}
"""The columns of a row that no process holds."""


def lease_columns() -> tuple[Column[Any], Column[Any]]:
    """The columns of a lease: its name, and the time in UTC at which it ends."""
    return Column("lease_owner", String), Column("lease_expires", DateTime)


def new_lease(name: str) -> str:
    """The name of a new lease: that of its program, and a random part."""
    return f"{name}-{secrets.token_hex(6)}"


def is_leased(table: Table, now: datetime | BindParameter[Any]) -> ColumnElement[bool]:
    """The condition that a row has a lease that has not expired."""
    return table.c.lease_expires > now


def is_free(table: Table, now: datetime | BindParameter[Any]) -> ColumnElement[bool]:
    """The condition that a row has no lease, or an expired one."""
    return or_(table.c.lease_expires.is_(None), table.c.lease_expires <= now)
