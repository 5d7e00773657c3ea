package rookery.sync.unread;

import org.jspecify.annotations.Nullable;

/**
 * A user's known display name in a room.
 *
 * @param text null for a user without a display name
 */
public record Name(@Nullable String text) {}
