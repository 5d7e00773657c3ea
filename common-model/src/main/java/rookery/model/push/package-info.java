/** Push rules: a user's rule set and the default rules (contract.md 12.1 to 12.3). */
@NullMarked
package rookery.model.push;

import org.jspecify.annotations.NullMarked;
