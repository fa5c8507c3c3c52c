"""Alembic's way in: the connection is handed over by the store."""

from alembic import context

from sutler.web.storage.schema import META

context.configure(connection=context.config.attributes["connection"], target_metadata=META)
with context.begin_transaction():
    context.run_migrations()
