/** Administration of uploaded files. */
@NullMarked
package rookery.admin.media;

import org.jspecify.annotations.NullMarked;
