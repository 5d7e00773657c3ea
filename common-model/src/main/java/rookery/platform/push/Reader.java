package rookery.platform.push;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;

/**
 * Whose rules are asked.
 *
 * @param displayName the name that the user has in the room, or null for none
 */
public record Reader(UserId user, @Nullable String displayName) {}
