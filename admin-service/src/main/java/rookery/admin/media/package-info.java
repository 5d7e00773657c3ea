/** What administrators ask and do about uploaded files. */
@NullMarked
package rookery.admin.media;

import org.jspecify.annotations.NullMarked;
