/** The load generator: measures latencies and CPU costs of messages, rooms and syncs. */
@NullMarked
package rookery.bench;

import org.jspecify.annotations.NullMarked;
