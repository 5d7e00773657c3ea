// SPDX-License-Identifier: Apache-2.0
package rookery.admin.report;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;

/** Client of room-service, the owner of the reports. */
@Component
public class ReportClient {
    private static final String ROOM = "room-service";

    private final ServiceClient services;

    ReportClient(ServiceClient services) {
        this.services = services;
    }

    /** Newest first, as lines ({@code ListLines}); {@code closed} is null for both states. */
    Flux<String> list(TenantId tenant, @Nullable Boolean closed, ListQuery query) {
        var question = new Question(new Filter(tenant, closed), query.from(), query.limit());
        return services.lines(ROOM, "reports", "/internal/admin/reports", question);
    }

    /** M_NOT_FOUND. */
    public Mono<JsonNode> find(TenantId tenant, String id) {
        return services.post(ROOM, id, "/internal/admin/reports/find", new ReportId(tenant, id), JsonNode.class);
    }

    /** The closed report; M_NOT_FOUND. */
    public Mono<JsonNode> close(TenantId tenant, String id, UserId administrator, @Nullable String note) {
        var closing = new Closing(tenant, id, administrator, note);
        return services.post(ROOM, id, "/internal/admin/reports/close", closing, JsonNode.class);
    }

    private record Filter(TenantId tenant, @Nullable Boolean closed) {}

    private record Question(
            Filter filter, String after, @Nullable Integer limit) {}

    private record ReportId(TenantId tenant, String id) {}

    private record Closing(
            TenantId tenant,
            String id,
            UserId administrator,
            @Nullable String note) {}
}
