/** The answer to {@code /sync}: what a client has not been told yet, at once or as soon as there is something. */
@NullMarked
package rookery.sync.sync;

import org.jspecify.annotations.NullMarked;
