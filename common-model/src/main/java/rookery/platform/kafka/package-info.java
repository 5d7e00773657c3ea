/** Sealed Kafka records, and the thread of a consumer. */
@NullMarked
package rookery.platform.kafka;

import org.jspecify.annotations.NullMarked;
