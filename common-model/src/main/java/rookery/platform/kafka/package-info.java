/** What every producer and consumer of Kafka does here: records are sealed when they are sent, and believed only when the seal is good. */
@NullMarked
package rookery.platform.kafka;

import org.jspecify.annotations.NullMarked;
