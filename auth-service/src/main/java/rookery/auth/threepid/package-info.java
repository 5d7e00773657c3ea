/** Third-party identifiers: email addresses and phone numbers of accounts (contract.md 7). */
@NullMarked
package rookery.auth.threepid;

import org.jspecify.annotations.NullMarked;
