/** Faults for sync nodes, which prove that the checkers notice faults. The product does not contain them. */
@NullMarked
package rookery.e2e.fault;

import org.jspecify.annotations.NullMarked;
