/**
 * Unread counts and notifications: an event is judged once for each cohort, so the cost does not depend on the number of members
 * (design.md 5).
 */
@NullMarked
package rookery.push.count;

import org.jspecify.annotations.NullMarked;
