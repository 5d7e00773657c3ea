// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.append;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import rookery.model.topic.LogRecord;

/**
 * Entries of one shard after a position.
 *
 * @param coveredTo the position that the range covers: missing entries up to here are superseded or purged
 * @param number the batch number of that position; 0 if unknown
 * @param head the end of the shard
 */
public record Range(
        long epoch,
        List<LogRecord> entries,
        @JsonProperty("covered_to") long coveredTo,
        long number,
        long head) {}
