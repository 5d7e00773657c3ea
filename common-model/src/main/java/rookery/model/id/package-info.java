/** Identifiers as types, so that one cannot stand where another belongs (contract.md 2.5). */
@NullMarked
package rookery.model.id;

import org.jspecify.annotations.NullMarked;
