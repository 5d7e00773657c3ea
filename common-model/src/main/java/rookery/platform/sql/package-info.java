/** What R2DBC leaves to its users. */
@NullMarked
package rookery.platform.sql;

import org.jspecify.annotations.NullMarked;
