/** Errors as clients see them (contract.md 2.4). */
@NullMarked
package rookery.model.error;

import org.jspecify.annotations.NullMarked;
