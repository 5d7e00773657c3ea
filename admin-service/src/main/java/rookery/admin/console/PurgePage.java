// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.room.RoomInspectionClient;
import rookery.admin.room.RoomReadingApi;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The deleted rooms, with the progress of their deletion. */
@RestController
@Access(Level.ADMIN)
class PurgePage {
    private final RoomReadingApi rooms;
    private final RoomInspectionClient inspections;
    private final Pages pages;

    PurgePage(RoomReadingApi rooms, RoomInspectionClient inspections, Pages pages) {
        this.rooms = rooms;
        this.inspections = inspections;
        this.pages = pages;
    }

    @GetMapping(ConsoleCookie.PATH + "/purges")
    Mono<ResponseEntity<String>> list(
            Caller caller, @RequestParam MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        return ListPage.read(lines(caller, asked, exchange), PurgeList.class).map(list -> {
            var model = ListPage.model(list, asked, "", "");
            model.put("underWay", list.purges.stream().anyMatch(purge -> !purge.done));
            return pages.page(exchange, "purges", model);
        });
    }

    /** The page reads the progress again every few seconds, and only the first reading is recorded. */
    private Flux<String> lines(Caller caller, MultiValueMap<String, String> asked, ServerWebExchange exchange) {
        var query = ListPage.query(asked);
        return exchange.getRequest().getHeaders().getFirst("HX-Request") == null
                ? rooms.purges(caller, query)
                : ListDocument.of("purges", inspections.purges(caller.tenant(), ListQuery.of(query)));
    }

    /** A page of purges. */
    record PurgeList(
            long total,
            List<Purge> purges,
            @JsonProperty("next_batch") @Nullable String next) {}

    /** A purge (contract.md 5.2). */
    record Purge(
            @JsonProperty("room_id") String roomId,
            @Nullable String by,
            boolean done,
            @JsonProperty("started_ts") @Nullable Long startedAt,
            @JsonProperty("ended_ts") @Nullable Long endedAt,
            @JsonProperty("events_left") @Nullable Long eventsLeft) {}
}
