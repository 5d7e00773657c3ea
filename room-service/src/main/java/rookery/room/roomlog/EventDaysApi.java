// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.time.LocalDate;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** The events of a tenant by day, for the console of admin-service. */
@RestController
class EventDaysApi {
    private final EventDays days;

    EventDaysApi(EventDays days) {
        this.days = days;
    }

    @Callers(ServiceName.ADMIN)
    @GetMapping("/internal/stats/days")
    Mono<Answer> latest(@RequestParam int tenant, @RequestParam int days) {
        return this.days.latest(new TenantId(tenant), days).map(Answer::new);
    }

    /** Events by day of UTC, without days that had none. */
    record Answer(Map<LocalDate, Long> events) {}
}
