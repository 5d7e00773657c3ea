/** Identifiers as types, which the compiler cannot confuse (contract.md 2.5). */
@NullMarked
package rookery.model.id;

import org.jspecify.annotations.NullMarked;
