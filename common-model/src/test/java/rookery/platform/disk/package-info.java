@NullMarked
package rookery.platform.disk;

import org.jspecify.annotations.NullMarked;
