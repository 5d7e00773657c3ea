/** Sealed Kafka records: every producer seals, and every consumer verifies. */
@NullMarked
package rookery.platform.kafka;

import org.jspecify.annotations.NullMarked;
