package rookery.sync.unread;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The push rules and the ignore list, which decide about the events to count, as of one moment.
 *
 * @param rules null if unknown
 * @param at the position of the last change of rules or ignore list in the user log; 0 before the first change
 * @param version increases with each change
 */
public record CountSettings(@Nullable RulesText rules, Set<String> ignored, long at, long version) {}
