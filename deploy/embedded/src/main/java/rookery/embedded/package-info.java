/** The real PostgreSQL, Kafka and Redis as child processes that die with us, for the launcher and for the tests. */
@NullMarked
package rookery.embedded;

import org.jspecify.annotations.NullMarked;
