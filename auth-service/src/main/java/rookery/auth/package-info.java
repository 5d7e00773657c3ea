/** The service itself. */
@NullMarked
package rookery.auth;

import org.jspecify.annotations.NullMarked;
