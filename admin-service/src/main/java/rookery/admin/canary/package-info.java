/** Whether messages are delivered, tried from where clients are. */
@NullMarked
package rookery.admin.canary;

import org.jspecify.annotations.NullMarked;
