/** Making an account. */
@NullMarked
package rookery.auth.registration;

import org.jspecify.annotations.NullMarked;
