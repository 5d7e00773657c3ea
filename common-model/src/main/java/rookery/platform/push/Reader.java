// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import org.jspecify.annotations.Nullable;
import rookery.model.id.UserId;

/**
 * The user whose rules are evaluated.
 *
 * @param displayName the user's display name in the room, or null
 */
public record Reader(UserId user, @Nullable String displayName) {}
