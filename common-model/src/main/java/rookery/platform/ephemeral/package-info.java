/** The topic of typing and presence (design.md 2). */
@NullMarked
package rookery.platform.ephemeral;

import org.jspecify.annotations.NullMarked;
