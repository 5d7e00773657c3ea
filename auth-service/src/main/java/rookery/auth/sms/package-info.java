/** Text messages. */
@NullMarked
package rookery.auth.sms;

import org.jspecify.annotations.NullMarked;
