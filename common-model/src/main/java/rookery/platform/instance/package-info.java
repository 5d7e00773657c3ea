/** Which instances of which service run where, and which of them a key belongs to. */
@NullMarked
package rookery.platform.instance;

import org.jspecify.annotations.NullMarked;
