/** User-interactive authentication: the stages before an operation (contract.md 3.4). */
@NullMarked
package rookery.auth.interactive;

import org.jspecify.annotations.NullMarked;
