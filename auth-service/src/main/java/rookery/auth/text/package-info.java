/** Text from clients that must be whole and survive storage. */
@NullMarked
package rookery.auth.text;

import org.jspecify.annotations.NullMarked;
