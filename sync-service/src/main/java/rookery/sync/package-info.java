/** The service itself. */
@NullMarked
package rookery.sync;

import org.jspecify.annotations.NullMarked;
