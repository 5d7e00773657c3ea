/** Sending mail. */
@NullMarked
package rookery.auth.mail;

import org.jspecify.annotations.NullMarked;
