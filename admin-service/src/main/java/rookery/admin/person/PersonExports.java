// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import rookery.admin.user.AccountClient;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;

/**
 * Exports of one person's data. At most one export of a tenant runs at a time in this instance, and a few of all tenants, since
 * each reads every service. An export that fails after its first bytes closes the connection.
 */
@Component
public final class PersonExports {
    private static final int AT_ONCE = 4;
    private static final int PAUSE_MS = 10_000;

    private final PersonClient services;
    private final AccountClient accounts;
    private final Clock clock;
    private final Set<TenantId> running = ConcurrentHashMap.newKeySet();

    PersonExports(PersonClient services, AccountClient accounts, Clock clock) {
        this.services = services;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * The ZIP. M_NOT_FOUND for an unknown user, M_LIMIT_EXCEEDED beside another export; an answer with such an error has no header
     * of the ZIP.
     *
     * @param exportedBy an administrator or operator
     */
    public Flux<DataBuffer> of(TenantUser person, String exportedBy, ServerHttpResponse response) {
        DataBufferFactory buffers = response.bufferFactory();
        return accounts.find(person.tenant(), person.user())
                .thenMany(limited(person.tenant(), Flux.defer(() -> {
                    head(person, response.getHeaders());
                    return new PersonArchive(services, person, exportedBy, clock.instant()).bytes();
                })))
                .map(buffers::wrap);
    }

    private static void head(TenantUser person, HttpHeaders headers) {
        var name = person.user().value().substring(1).replaceAll("[^A-Za-z0-9.-]", "_");
        headers.setContentType(MediaType.parseMediaType("application/zip"));
        headers.setContentDisposition(
                ContentDisposition.attachment().filename(name + ".zip").build());
        headers.setCacheControl("no-store");
    }

    private <T> Flux<T> limited(TenantId tenant, Flux<T> export) {
        return Flux.defer(() -> enter(tenant)
                ? export.doFinally(_ -> running.remove(tenant))
                : Flux.error(new ApiException(ErrorCode.M_LIMIT_EXCEEDED, "another export runs, wait for its end")
                        .with("retry_after_ms", PAUSE_MS)
                        .withRetryAfter(PAUSE_MS / 1000)));
    }

    private synchronized boolean enter(TenantId tenant) {
        return running.size() < AT_ONCE && running.add(tenant);
    }

    /** Whether no export runs. */
    boolean isIdle() {
        return running.isEmpty();
    }
}
