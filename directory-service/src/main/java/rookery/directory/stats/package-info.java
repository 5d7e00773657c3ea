/** This service's part of a tenant's statistics. */
@NullMarked
package rookery.directory.stats;

import org.jspecify.annotations.NullMarked;
