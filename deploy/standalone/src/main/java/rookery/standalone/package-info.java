/** The launcher: starts PostgreSQL, Kafka, Redis and the seven services with one command, in one JVM or as a local cluster. */
@NullMarked
package rookery.standalone;

import org.jspecify.annotations.NullMarked;
