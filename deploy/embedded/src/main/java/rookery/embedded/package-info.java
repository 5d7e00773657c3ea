/** PostgreSQL, Kafka and Redis as child processes that end with their parent, for the launcher and for tests. */
@NullMarked
package rookery.embedded;

import org.jspecify.annotations.NullMarked;
