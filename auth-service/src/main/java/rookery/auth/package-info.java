/** The application of auth-service. */
@NullMarked
package rookery.auth;

import org.jspecify.annotations.NullMarked;
