/** Deletion of all data of a tenant from one service (design.md 7). */
@NullMarked
package rookery.platform.erasure;

import org.jspecify.annotations.NullMarked;
