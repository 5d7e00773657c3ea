/** Messages as files, in installations without a mail server or an SMS provider. */
@NullMarked
package rookery.auth.outbox;

import org.jspecify.annotations.NullMarked;
