"""Runs the migrations, called by Alembic; the store hands over the connection."""

from alembic import context

from sutler.web.storage.schema import META

context.configure(connection=context.config.attributes["connection"], target_metadata=META)
with context.begin_transaction():
    context.run_migrations()
