/** A user's push rules: the default rules with the user's changes (contract.md 12.1). */
@NullMarked
package rookery.push.userrule;

import org.jspecify.annotations.NullMarked;
