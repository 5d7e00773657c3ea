/** The service itself. */
@NullMarked
package rookery.admin;

import org.jspecify.annotations.NullMarked;
