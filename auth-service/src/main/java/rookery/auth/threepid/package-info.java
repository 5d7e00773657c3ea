/** Third-party identifiers: addresses that accounts are found and validated by (contract.md 7). */
@NullMarked
package rookery.auth.threepid;

import org.jspecify.annotations.NullMarked;
