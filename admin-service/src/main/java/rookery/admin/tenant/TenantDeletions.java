// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.admin.tenant.DeletionRows.Deletion;
import rookery.model.id.TenantId;
import rookery.platform.erasure.ErasureApi;
import rookery.platform.erasure.TenantErasure;
import rookery.platform.erasure.TenantErasure.Cursor;
import rookery.platform.erasure.TenantErasure.Portion;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import rookery.platform.runtime.RepeatedTask;

/**
 * Deletes tenants whose time has come (design.md 7): asks one service after the other for portions and stores the progress after
 * each, so that another instance goes on after a crash. A follower of a log or a worker may write rows after its service was
 * asked, so passes over all services are repeated after a pause until a pass finds nothing.
 */
@Component
class TenantDeletions implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(TenantDeletions.class);

    /** Longer than the longest portion and its request. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final Duration PORTION_TIMEOUT = Duration.ofSeconds(50);

    /** In this order; the writers of the logs come first. */
    private static final List<String> SERVICES = List.of(
            ServiceName.AUTH.title(),
            ServiceName.ROOM.title(),
            ServiceName.SYNC.title(),
            ServiceName.DIRECTORY.title(),
            ServiceName.PUSH.title(),
            ServiceName.ADMIN.title());

    private final TenantRegistry registry;
    private final DeletionRows rows;
    private final TenantErasure own;
    private final ServiceClient services;
    private final OperatorProperties properties;
    private final RepeatedTask deleting;

    TenantDeletions(
            TenantRegistry registry,
            DeletionRows rows,
            TenantErasure own,
            ServiceClient services,
            OperatorProperties properties) {
        this.registry = registry;
        this.rows = rows;
        this.own = own;
        this.services = services.waiting(PORTION_TIMEOUT);
        this.properties = properties;
        this.deleting = new RepeatedTask("tenant-deletions", this::next);
    }

    private Mono<Void> next() {
        return rows.due()
                .concatMap(registry::erase)
                .then(rows.claim(LEASE))
                .flatMap(deletion -> portion(deletion).thenReturn(true))
                .onErrorResume(failure -> {
                    log.atDebug()
                            .addKeyValue("cause", failure.toString())
                            .log("a tenant cannot be deleted now, trying again");
                    return Mono.empty();
                })
                .switchIfEmpty(Mono.delay(properties.deletionInterval()).thenReturn(false))
                .then();
    }

    private Mono<Void> portion(Deletion deletion) {
        var tenant = new TenantId(deletion.tenant());
        return erased(tenant, deletion)
                .flatMap(portion -> advance(deletion, portion))
                .onErrorResume(failure ->
                        rows.advance(deletion, properties.deletionInterval()).then(Mono.error(failure)));
    }

    private Mono<Portion> erased(TenantId tenant, Deletion deletion) {
        return deletion.service().equals(ServiceName.ADMIN.title())
                ? own.portion(tenant, deletion.cursor())
                : services.post(
                        deletion.service(),
                        "tenants",
                        ErasureApi.PATH,
                        new ErasureApi.Request(tenant, deletion.cursor()),
                        Portion.class);
    }

    private Mono<Void> advance(Deletion before, Portion portion) {
        var cursor = portion.next();
        int index = SERVICES.indexOf(before.service());
        long passCount = before.passCount() + portion.deleted();
        long deleted = before.deleted() + portion.deleted();
        if (cursor != null) {
            return rows.advance(
                    progress(before, before.pass(), before.service(), cursor, passCount, deleted), Duration.ZERO);
        }
        if (index + 1 < SERVICES.size()) {
            var service = SERVICES.get(index + 1);
            return rows.advance(
                    progress(before, before.pass(), service, Cursor.START, passCount, deleted), Duration.ZERO);
        }
        if (passCount > 0 || before.pass() == 1) {
            return rows.advance(
                    progress(before, before.pass() + 1, SERVICES.getFirst(), Cursor.START, 0, deleted),
                    properties.deletionPause());
        }
        return registry.finishErasure(before.tenant())
                .doOnSuccess(_ -> log.atInfo()
                        .addKeyValue("tenant", before.tenant())
                        .addKeyValue("rows", deleted)
                        .log("a tenant is deleted"));
    }

    private static Deletion progress(
            Deletion before, int pass, String service, Cursor cursor, long passCount, long deleted) {
        return new Deletion(
                before.tenant(), before.dueMillis(), pass, service, cursor, passCount, deleted, before.doneMillis());
    }

    @Override
    public void destroy() {
        deleting.close();
    }
}
