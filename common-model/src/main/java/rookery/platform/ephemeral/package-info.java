/** The topic of what holds for moments only (design.md 2): typing. */
@NullMarked
package rookery.platform.ephemeral;

import org.jspecify.annotations.NullMarked;
