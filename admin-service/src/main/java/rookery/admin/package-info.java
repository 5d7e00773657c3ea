/** The root package of admin-service. */
@NullMarked
package rookery.admin;

import org.jspecify.annotations.NullMarked;
