/** The root package of push-service. */
@NullMarked
package rookery.push;

import org.jspecify.annotations.NullMarked;
