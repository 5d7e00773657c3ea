/** What the logs tell this service, and what of it is handed over to delivery. */
@NullMarked
package rookery.push.inbox;

import org.jspecify.annotations.NullMarked;
