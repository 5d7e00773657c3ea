/** End-to-end encryption keys: device keys, one-time keys and cross-signing keys (contract.md 13.5). */
@NullMarked
package rookery.auth.keys;

import org.jspecify.annotations.NullMarked;
