/** Texts of log entries, in the database and on Kafka. */
@NullMarked
package rookery.platform.log.text;

import org.jspecify.annotations.NullMarked;
