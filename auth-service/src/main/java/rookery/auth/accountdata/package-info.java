/** Account data: private settings and tags that clients store on the server (contract.md 13.2). */
@NullMarked
package rookery.auth.accountdata;

import org.jspecify.annotations.NullMarked;
