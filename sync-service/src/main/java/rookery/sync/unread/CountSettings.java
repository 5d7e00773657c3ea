// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Push rules (null if unknown) and ignore list, last changed at a position of the user log, 0 if never. */
public record CountSettings(@Nullable RulesText rules, Set<String> ignored, long at, long version) {}
