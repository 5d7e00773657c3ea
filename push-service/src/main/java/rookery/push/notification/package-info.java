/** The list of a user's notifications (contract.md 11.5). */
@NullMarked
package rookery.push.notification;

import org.jspecify.annotations.NullMarked;
