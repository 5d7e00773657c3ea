/** Push rules: what every user has of them, and the default ones (contract.md 12.1 to 12.3). */
@NullMarked
package rookery.model.push;

import org.jspecify.annotations.NullMarked;
