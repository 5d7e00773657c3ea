/** The service itself. */
@NullMarked
package rookery.gateway;

import org.jspecify.annotations.NullMarked;
