/** What users were notified of (CONTRACT.md 11.5). */
@NullMarked
package rookery.push.notification;

import org.jspecify.annotations.NullMarked;
