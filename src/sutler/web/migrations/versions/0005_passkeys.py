"""Add passkeys, by which a person is known on another device."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("site", sa.String(253), nullable=False),
        sa.Column("credential", sa.LargeBinary, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("called", sa.String(24), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used", sa.DateTime(timezone=True), nullable=True),
        sa.Column("covered", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
    )
    op.create_index("ix_passkeys_browser", "passkeys", ["browser"])


def downgrade() -> None:
    op.drop_table("passkeys")
