// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One action of an administrator or operator (contract.md 5.2).
 *
 * @param status the HTTP status of the answer; null while the action runs and if its end is unknown
 * @param micros the time in microseconds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AuditRecord(
        UUID id,
        @JsonProperty("ts") long millis,
        String actor,
        String action,
        String target,
        String ip,
        @JsonProperty("request_id") String requestId,
        @Nullable Integer status,
        @JsonIgnore long micros) {
    AuditKey key() {
        return new AuditKey(micros, id);
    }
}
