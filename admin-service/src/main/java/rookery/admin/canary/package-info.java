/** Checks from a client's position that messages are delivered. */
@NullMarked
package rookery.admin.canary;

import org.jspecify.annotations.NullMarked;
