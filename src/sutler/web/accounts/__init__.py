"""People without accounts: privacy, passkeys, mail links, push notices, ratings, moderation."""
