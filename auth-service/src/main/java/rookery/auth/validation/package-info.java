/** Validating that an address is somebody's, and what accounts and authentications do with it (contract.md 7). */
@NullMarked
package rookery.auth.validation;

import org.jspecify.annotations.NullMarked;
