package rookery.platform.log.append;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import rookery.model.topic.LogRecord;

/**
 * A stretch of one shard, as its owner answers it.
 *
 * @param coveredTo how far the answer reaches: what is missing up to here was superseded or purged, and is no hole
 * @param number of the batch that holds that position; 0 if it is not known
 * @param head the end of the shard when this was read
 */
public record Range(
        long epoch,
        List<LogRecord> entries,
        @JsonProperty("covered_to") long coveredTo,
        long number,
        long head) {}
