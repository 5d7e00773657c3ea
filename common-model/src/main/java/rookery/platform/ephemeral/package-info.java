/** The topic of what holds for moments only (DESIGN.md 2): typing. */
@NullMarked
package rookery.platform.ephemeral;

import org.jspecify.annotations.NullMarked;
