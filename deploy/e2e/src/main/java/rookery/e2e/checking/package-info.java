/** What clients sent and were told, and the judgement whether that keeps the promises of design.md 10. Pure. */
@NullMarked
package rookery.e2e.checking;

import org.jspecify.annotations.NullMarked;
