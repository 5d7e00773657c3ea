/** What the logs tell this service. */
@NullMarked
package rookery.push.inbox;

import org.jspecify.annotations.NullMarked;
