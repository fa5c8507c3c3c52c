"""Add the lab's questions and their answers, for servers of several processes."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("most", sa.Integer, nullable=False),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("trouble", sa.Text, nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=True),
        sa.Column("holder", sa.String(16), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "findings",
        sa.Column("question", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(120), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    for table in ("findings", "questions"):
        op.drop_table(table)
