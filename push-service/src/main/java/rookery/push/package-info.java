/** The service itself. */
@NullMarked
package rookery.push;

import org.jspecify.annotations.NullMarked;
