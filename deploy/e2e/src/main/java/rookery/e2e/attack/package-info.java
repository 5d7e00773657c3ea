/** Clients that mean harm: large answers, unread bytes and odd pictures, and what they cost everybody else. */
@NullMarked
package rookery.e2e.attack;

import org.jspecify.annotations.NullMarked;
