/** Sending text messages to phones. */
@NullMarked
package rookery.auth.sms;

import org.jspecify.annotations.NullMarked;
