// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import org.jspecify.annotations.Nullable;

/** A user's known display name in a room; null for a user without one. */
public record Name(@Nullable String text) {}
