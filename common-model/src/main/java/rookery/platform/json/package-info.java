/** Parsing and writing JSON by the rules of contract.md 2.1. */
@NullMarked
package rookery.platform.json;

import org.jspecify.annotations.NullMarked;
