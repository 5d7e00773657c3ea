/** Registration of accounts (contract.md 3.3). */
@NullMarked
package rookery.auth.registration;

import org.jspecify.annotations.NullMarked;
