// SPDX-License-Identifier: Apache-2.0
package rookery.platform.transfer;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.RegisteredTenant.State;
import rookery.platform.tenant.Tenants;
import rookery.platform.transfer.TenantImport.Ends;
import tools.jackson.databind.JsonNode;

/** Export and import of tenants for admin-service (contract.md 21). Internal. */
@RestController
@Callers(ServiceName.ADMIN)
public class TransferApi {
    public static final String EXPORT = "/internal/tenants/export";
    public static final String BEGIN = "/internal/tenants/import/begin";
    public static final String STORE = "/internal/tenants/import/rows";
    public static final String FINISH = "/internal/tenants/import/finish";
    public static final String FOLLOWED = "/internal/tenants/import/followed";

    private final TenantExport exports;
    private final TenantImport imports;
    private final Tenants tenants;

    TransferApi(TenantExport exports, TenantImport imports, Tenants tenants) {
        this.exports = exports;
        this.imports = imports;
        this.tenants = tenants;
    }

    public record TenantRequest(TenantId tenant) {}

    /**
     * The beginning of an import.
     *
     * @param schema the version of this service's tables in the export
     */
    public record BeginRequest(TenantId tenant, String schema) {}

    /**
     * A part of the lines of an export.
     *
     * @param number the number of the batch, from which a repeated request is recognized
     * @param late whether to store only rows of work, from which entries follow, and not the other rows
     * @param logs the answers of {@link #begin} by log
     */
    public record StoreRequest(
            TenantId tenant,
            long number,
            boolean sessions,
            boolean late,
            Map<String, LogOffsets> logs,
            JsonNode lines) {}

    /**
     * A question of how far this service has followed a log.
     *
     * @param ends the answer of room-service to {@link #finish}
     */
    public record FollowedRequest(
            @Nullable String log, @Nullable Ends ends) {}

    @PostMapping(EXPORT)
    public Flux<byte[]> export(@RequestBody TenantRequest request) {
        return exports.lines(request.tenant);
    }

    /** The offsets of this service's log; an empty object for a service without a log. */
    @PostMapping(BEGIN)
    public Mono<Object> begin(@RequestBody BeginRequest request) {
        requireImport(request.tenant);
        return imports.begin(request.tenant, request.schema).cast(Object.class).defaultIfEmpty(Map.of());
    }

    @PostMapping(STORE)
    public Mono<Map<String, Object>> store(@RequestBody StoreRequest request) {
        requireImport(request.tenant);
        return imports.store(request).thenReturn(Map.of());
    }

    @PostMapping(FINISH)
    public Mono<Ends> finish(@RequestBody TenantRequest request) {
        requireImport(request.tenant);
        return imports.finish(request.tenant);
    }

    @PostMapping(FOLLOWED)
    public Mono<Map<String, Boolean>> followed(@RequestBody FollowedRequest request) {
        if (request.log == null || request.ends == null || request.ends.ends() == null) {
            throw new ApiException(ErrorCode.M_BAD_JSON, "log or ends is missing");
        }
        return imports.hasFollowed(request.log, request.ends).map(done -> Map.of("done", done));
    }

    private void requireImport(TenantId tenant) {
        if (!tenants.isIn(State.IMPORTING, tenant)) {
            throw ApiException.unavailable("this service does not know yet that the tenant is to be imported");
        }
    }
}
