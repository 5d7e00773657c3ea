/** What users were notified of (contract.md 11.5). */
@NullMarked
package rookery.push.notification;

import org.jspecify.annotations.NullMarked;
