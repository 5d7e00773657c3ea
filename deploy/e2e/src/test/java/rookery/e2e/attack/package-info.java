/** What one user may try who means harm. */
@NullMarked
package rookery.e2e.attack;

import org.jspecify.annotations.NullMarked;
