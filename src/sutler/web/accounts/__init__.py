"""People: privacy, passkeys, mail links, notices, moderation."""
