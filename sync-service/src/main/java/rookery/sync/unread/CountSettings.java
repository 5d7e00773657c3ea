package rookery.sync.unread;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What of a user's account data decides which events count, all as of one moment.
 *
 * @param rules null as long as nobody could tell them
 * @param at where in the user log the rules or the ignore list were set last; 0 if they never were
 * @param version of two, the later one has the higher number
 */
public record CountSettings(@Nullable RulesText rules, Set<String> ignored, long at, long version) {}
