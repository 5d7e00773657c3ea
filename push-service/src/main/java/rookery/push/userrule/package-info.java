/** A user's push rules as they are served: the default ones and what the user made of them (contract.md 12.1). */
@NullMarked
package rookery.push.userrule;

import org.jspecify.annotations.NullMarked;
