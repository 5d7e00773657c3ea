/** What counts for whom: judged once for many, and kept so that nothing follows the size of a room (design.md 5). */
@NullMarked
package rookery.push.count;

import org.jspecify.annotations.NullMarked;
