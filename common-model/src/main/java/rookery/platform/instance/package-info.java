/** The instances of services, and the distribution of keys and shards among them. */
@NullMarked
package rookery.platform.instance;

import org.jspecify.annotations.NullMarked;
