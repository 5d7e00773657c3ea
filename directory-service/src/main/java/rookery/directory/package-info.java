/** The service itself. */
@NullMarked
package rookery.directory;

import org.jspecify.annotations.NullMarked;
