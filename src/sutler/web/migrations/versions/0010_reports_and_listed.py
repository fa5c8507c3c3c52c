"""Add reports of players to the administrator, and the people listed among the best."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("reporter", sa.String(64), nullable=False, index=True),
        sa.Column("decided", sa.String(16), nullable=False, index=True),
    )
    op.create_table(
        "listed",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    for table in ("listed", "reports"):
        op.drop_table(table)
