"""Add the lists of people whose words somebody does not want to read."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "ignored",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("ignored", sa.String(64), primary_key=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("ignored")
