/** Checks the messages that clients sent and received against the promises of design.md 10. Pure functions. */
@NullMarked
package rookery.e2e.checking;

import org.jspecify.annotations.NullMarked;
