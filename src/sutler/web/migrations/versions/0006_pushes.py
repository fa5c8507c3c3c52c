"""Add push subscriptions: browsers that are notified when their person's turn begins."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("public", sa.LargeBinary, nullable=False),
        sa.Column("auth", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_pushes_browser", "pushes", ["browser"])


def downgrade() -> None:
    op.drop_table("pushes")
