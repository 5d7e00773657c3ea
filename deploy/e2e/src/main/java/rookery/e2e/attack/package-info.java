/** Attacks by clients: large responses, unread bytes and odd pictures, and their effect on other users. */
@NullMarked
package rookery.e2e.attack;

import org.jspecify.annotations.NullMarked;
