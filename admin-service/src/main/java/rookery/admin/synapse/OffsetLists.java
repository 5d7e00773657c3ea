// SPDX-License-Identifier: Apache-2.0
package rookery.admin.synapse;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import rookery.admin.media.MediaClient.Filter;
import rookery.admin.user.AccountClient.AccountQuery;
import rookery.model.id.EventId;
import rookery.model.id.TenantId;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;

/** Client of the services that own the lists, for pages that begin at an offset; as lines ({@code ListLines}). */
@Component
class OffsetLists {
    private final ServiceClient services;

    OffsetLists(ServiceClient services) {
        this.services = services;
    }

    /** The accounts, usually in the order of user ids. */
    Flux<String> users(AccountQuery filter, OffsetQuery page, @Nullable ListOrder order) {
        return lines(ServiceName.AUTH, "users", new ListRequest(filter, "", page.limit(), page.from(), order));
    }

    /** The files of a user, usually the newest first. */
    Flux<String> media(Filter filter, OffsetQuery page, @Nullable ListOrder order) {
        return lines(ServiceName.ROOM, "media", new FilteredRequest(filter, "", page.limit(), page.from(), order));
    }

    /** The reports of events that are open. */
    Flux<String> reports(ReportFilter filter, OffsetQuery page) {
        return lines(ServiceName.ROOM, "reports", new FilteredRequest(filter, "", page.limit(), page.from(), null));
    }

    /**
     * Conditions on reports.
     *
     * @param closed null for both states
     * @param events whether the reports are about events
     * @param event null for every event
     */
    record ReportFilter(
            TenantId tenant,
            @Nullable Boolean closed,
            boolean events,
            @Nullable EventId event,
            boolean oldestFirst) {}

    private Flux<String> lines(ServiceName owner, String list, Object question) {
        return services.lines(owner.title(), list, "/internal/admin/" + list, question);
    }

    private record ListRequest(
            Object asked,
            String after,
            int limit,
            int skip,
            @Nullable ListOrder order) {}

    private record FilteredRequest(
            Object filter,
            String after,
            int limit,
            int skip,
            @Nullable ListOrder order) {}
}
