// SPDX-License-Identifier: Apache-2.0
package rookery.admin.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/**
 * The audit records of the tenant, for its administrators (contract.md 5.2), the newest first. Errors: M_FORBIDDEN for other users
 * before any lookup, M_INVALID_PARAM.
 */
@RestController
@Access(Level.ADMIN)
public class AuditApi {
    private static final int LIMIT_MAX = 1_000;
    private static final int USUAL_LIMIT = 100;

    private final AuditRecords records;
    private final Audit audit;

    AuditApi(AuditRecords records, Audit audit) {
        this.records = records;
        this.audit = audit;
    }

    /** A page; {@code actor}, {@code action} and {@code target} select records with exactly these texts. */
    @GetMapping("/_api/client/v3/admin/audit")
    public Mono<AuditPage> list(Caller caller, @RequestParam MultiValueMap<String, String> query) {
        var asked = ListQuery.of(query);
        int limit = asked.limit() == null ? USUAL_LIMIT : asked.limit();
        var page = records.page(AuditFilter.of(caller.tenant(), query), AuditKey.of(asked.from()), limit + 1)
                .collectList()
                .map(found -> AuditPage.of(found, limit));
        return audit.recorded(caller, "list audit records", "", page);
    }

    /** All records of the filter, read page by page as the reader takes them. */
    public Flux<AuditRecord> all(Caller caller, MultiValueMap<String, String> query) {
        var filter = AuditFilter.of(caller.tenant(), query);
        var pages = records.page(filter, AuditKey.of(""), LIMIT_MAX)
                .collectList()
                .expand(page -> page.size() < LIMIT_MAX
                        ? Mono.empty()
                        : records.page(filter, page.getLast().key(), LIMIT_MAX).collectList());
        return audit.recorded(caller, "export audit records", "", pages.concatMapIterable(page -> page));
    }

    /** A page of records. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AuditPage(
            List<AuditRecord> records,
            @JsonProperty("next_batch") @Nullable String next) {
        static AuditPage of(List<AuditRecord> found, int limit) {
            return found.size() > limit
                    ? new AuditPage(
                            List.copyOf(found.subList(0, limit)),
                            found.get(limit - 1).key().text())
                    : new AuditPage(List.copyOf(found), null);
        }
    }
}
