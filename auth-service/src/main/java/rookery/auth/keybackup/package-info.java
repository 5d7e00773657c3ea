/** The encrypted copies of room keys that clients keep here. */
@NullMarked
package rookery.auth.keybackup;

import org.jspecify.annotations.NullMarked;
