// SPDX-License-Identifier: Apache-2.0
package rookery.room.report;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ServiceName;
import rookery.room.report.Reports.ReportFilter;
import rookery.room.report.Reports.ReportRow;

/**
 * Reports, for administrators. Internal: admin-service has already checked the administrator's rights. M_NOT_FOUND for
 * an unknown report.
 */
@RestController
class ReportAdministrationApi {
    private final Reports reports;

    ReportAdministrationApi(Reports reports) {
        this.reports = reports;
    }

    /** Lines in the format of {@link ListLines}, the newest report first unless the filter says otherwise. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/reports")
    Flux<byte[]> list(@RequestBody ReportListRequest request) {
        return ListLines.write(
                reports.count(request.filter),
                request.place(reports),
                request.limit,
                (key, most) -> reports.after(request.filter, key, most),
                ReportRow::key);
    }

    /** One report with the complete event. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/reports/find")
    Mono<ReportRow> find(@RequestBody ReportId report) {
        return reports.find(report.tenant, report.id);
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/reports/close")
    Mono<ReportRow> close(@RequestBody Closing closing) {
        return reports.close(closing.tenant, closing.id, closing.administrator, closing.note);
    }

    /**
     * A page that begins after the key {@code after}, empty for the first page; null {@code limit} for all reports.
     *
     * @param skip the number of reports to skip, instead of {@code after}
     */
    record ReportListRequest(
            ReportFilter filter,
            String after,
            @Nullable Integer limit,
            @Nullable Integer skip) {
        Mono<String> place(Reports reports) {
            return skip == null || skip < 1 ? Mono.just(after) : reports.place(filter, skip);
        }
    }

    record ReportId(TenantId tenant, String id) {}

    record Closing(
            TenantId tenant,
            String id,
            UserId administrator,
            @Nullable String note) {}
}
