"""Add the queue of bots' decisions for servers of several processes, and the number of events that a lobby row was derived from."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("standings", sa.Column("seq", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "due",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("lane", sa.String(8), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_due_turn", "due", ["turn"])


def downgrade() -> None:
    op.drop_table("due")
    op.drop_column("standings", "seq")
