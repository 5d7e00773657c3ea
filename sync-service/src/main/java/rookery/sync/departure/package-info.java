/** Deletes the data of deactivated users. */
@NullMarked
package rookery.sync.departure;

import org.jspecify.annotations.NullMarked;
