package rookery.sync.unread;

import org.jspecify.annotations.Nullable;

/**
 * What a user is called in a room, where that is known.
 *
 * @param text null for somebody who has no name there
 */
public record Name(@Nullable String text) {}
