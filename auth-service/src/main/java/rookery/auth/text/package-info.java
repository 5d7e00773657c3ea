/** Checks and storage of text from clients. */
@NullMarked
package rookery.auth.text;

import org.jspecify.annotations.NullMarked;
