// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListDocument;
import rookery.admin.list.ListQuery;
import rookery.admin.stats.Counts;
import rookery.admin.stats.StatsCollector;
import rookery.admin.user.AccountClient;
import rookery.admin.user.AccountClient.AccountQuery;
import rookery.model.caller.Caller;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;
import rookery.platform.http.ServiceClient;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** The tenant at a glance: counts, events by day, and how much of each limit is used. */
@RestController
@Access(Level.ADMIN)
class OverviewPage {
    private static final String OVERVIEW = ConsoleCookie.PATH + "/overview";
    private static final int DAYS = 30;
    private static final int PERCENT = 100;

    private final StatsCollector counting;
    private final ServiceClient services;
    private final Tenants tenants;
    private final AccountClient accounts;
    private final Clock clock;
    private final Pages pages;

    OverviewPage(
            StatsCollector counting,
            ServiceClient services,
            Tenants tenants,
            AccountClient accounts,
            Clock clock,
            Pages pages) {
        this.counting = counting;
        this.services = services;
        this.tenants = tenants;
        this.accounts = accounts;
        this.clock = clock;
        this.pages = pages;
    }

    @GetMapping(ConsoleCookie.PATH)
    ResponseEntity<String> root() {
        return Pages.to(OVERVIEW);
    }

    @GetMapping(OVERVIEW)
    Mono<ResponseEntity<String>> show(Caller caller, ServerWebExchange exchange) {
        var path = "/internal/stats/days?tenant=%d&days=%d"
                .formatted(caller.tenant().value(), DAYS);
        return Mono.zip(
                        counting.latest(caller.tenant()),
                        services.get("room-service", "days " + caller.tenant().value(), path, Days.class),
                        waiting(caller))
                .map(found -> pages.page(
                        exchange,
                        "overview",
                        Map.of(
                                "counts", found.getT1(),
                                "chart", new EventChart(days(found.getT2())),
                                "waiting", found.getT3(),
                                "limits", limits(found.getT1(), tenants.settings(caller.tenant())),
                                "settings", tenants.settings(caller.tenant()))));
    }

    /** The number of accounts that wait for approval. */
    private Mono<Long> waiting(Caller caller) {
        var query = new AccountQuery(caller.tenant(), null, null, false, null, null, false);
        var lines = accounts.list(query, new ListQuery("", 1, null, null));
        return ListPage.read(ListDocument.of("users", lines), UserPages.UserList.class)
                .map(UserPages.UserList::total);
    }

    /** The last days in their order, also those without events. */
    private List<EventChart.Day> days(Days counted) {
        var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        return today.minusDays(DAYS - 1L)
                .datesUntil(today.plusDays(1))
                .map(day -> new EventChart.Day(day, counted.events.getOrDefault(day.toString(), 0L)))
                .toList();
    }

    private static List<UsedLimit> limits(Counts counts, TenantSettings settings) {
        var limits = new ArrayList<UsedLimit>();
        add(limits, "Active accounts", counts.accounts().users().active(), settings.get(TenantSettings.USERS_MAX));
        add(limits, "Rooms", counts.rooms().rooms().total(), settings.get(TenantSettings.ROOMS_MAX));
        add(limits, "Bytes of files", counts.rooms().media().bytes(), settings.get(TenantSettings.MEDIA_BYTES_MAX));
        return limits;
    }

    private static void add(List<UsedLimit> limits, String name, long used, @Nullable Long most) {
        if (most != null) {
            limits.add(new UsedLimit(name, used, most, most == 0 ? PERCENT : Math.min(PERCENT, used * PERCENT / most)));
        }
    }

    /** Events by day of UTC, such as {@code 2026-11-28}. */
    private record Days(Map<String, Long> events) {}

    /** How much of an operator's limit is used. */
    record UsedLimit(String name, long used, long most, long percent) {}
}
