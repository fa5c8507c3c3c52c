"""Add mail addresses, by which a person is known on another device; only a digest is stored."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "mails",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("covered", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_index("ix_mails_browser", "mails", ["browser"])


def downgrade() -> None:
    op.drop_table("mails")
