/** What a connected user has not read, counted here from push-service's counts on, so that an event brings its counts along. */
@NullMarked
package rookery.sync.unread;

import org.jspecify.annotations.NullMarked;
