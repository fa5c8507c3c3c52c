"""Delete codes and mail links that wait to be used: they were stored in an older form of encryption, and can be asked for again."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.execute("DELETE FROM house WHERE name LIKE 'way %' OR name LIKE 'mail %'")


def downgrade() -> None:
    upgrade()  # what is older reads none of the newer ones either
