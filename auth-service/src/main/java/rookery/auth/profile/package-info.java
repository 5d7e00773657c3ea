/** How a user appears to others. */
@NullMarked
package rookery.auth.profile;

import org.jspecify.annotations.NullMarked;
