/** This service's part of a tenant's statistics. */
@NullMarked
package rookery.push.stats;

import org.jspecify.annotations.NullMarked;
