/** JSON as contract.md 2.1 wants it read and written. */
@NullMarked
package rookery.platform.json;

import org.jspecify.annotations.NullMarked;
