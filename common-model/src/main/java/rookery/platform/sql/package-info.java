/** Extensions of R2DBC: pools, codecs, measurements and portions. */
@NullMarked
package rookery.platform.sql;

import org.jspecify.annotations.NullMarked;
