/** The load generator, and what it measures: how long messages take and what they cost. */
@NullMarked
package rookery.bench;

import org.jspecify.annotations.NullMarked;
