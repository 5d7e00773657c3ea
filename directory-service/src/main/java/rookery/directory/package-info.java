/** The root package of directory-service. */
@NullMarked
package rookery.directory;

import org.jspecify.annotations.NullMarked;
