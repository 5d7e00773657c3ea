// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.removal;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ListLines;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceName;
import rookery.room.media.removal.MediaList.FileFilter;
import rookery.room.table.RowOrder;

/**
 * Files, for administrators. Internal: admin-service has already checked the administrator's rights. M_NOT_FOUND for
 * an unknown file.
 */
@RestController
class MediaAdministrationApi {
    private final MediaList files;
    private final MediaRemoval removal;
    private final TransactionalOperator tx;

    MediaAdministrationApi(MediaList files, MediaRemoval removal, TransactionalOperator tx) {
        this.files = files;
        this.removal = removal;
        this.tx = tx;
    }

    /** Lines in the format of {@link ListLines}. M_INVALID_PARAM for an order that the list does not have. */
    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/media")
    Flux<byte[]> list(@RequestBody MediaListRequest request) {
        var order = MediaList.order(request.order);
        return ListLines.write(
                files.count(request.filter),
                request.place(files, order),
                request.limit,
                (key, most) -> files.after(request.filter, order, key, most),
                file -> file.key(order));
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/media/quarantine")
    Mono<Map<String, Object>> quarantine(@RequestBody Quarantine change) {
        return done(files.quarantine(change.tenant, change.id, change.quarantined));
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/media/quarantine-all")
    Mono<Map<String, Object>> quarantineAll(@RequestBody UserQuarantine change) {
        return files.quarantineAll(change.tenant, change.uploader).map(number -> Map.of("number", number));
    }

    @Callers(ServiceName.ADMIN)
    @PostMapping("/internal/admin/media/delete")
    Mono<Map<String, Object>> delete(@RequestBody Deletion deletion) {
        return done(removal.remove(deletion.tenant, deletion.id).as(tx::transactional));
    }

    private static Mono<Map<String, Object>> done(Mono<Boolean> change) {
        return change.filter(changed -> changed)
                .switchIfEmpty(Mono.error(MediaId::notFound))
                .thenReturn(Map.of());
    }

    /**
     * A page that begins after the key {@code after}, empty for the first page; null {@code limit} for all files.
     *
     * @param skip the number of files to skip, instead of {@code after}
     * @param order by {@code created_ts} or {@code size}; null for the newest first
     */
    record MediaListRequest(
            FileFilter filter,
            String after,
            @Nullable Integer limit,
            @Nullable Integer skip,
            @Nullable ListOrder order) {
        Mono<String> place(MediaList files, RowOrder rowOrder) {
            return skip == null || skip < 1 ? Mono.just(after) : files.place(filter, rowOrder, skip);
        }
    }

    record Quarantine(TenantId tenant, MediaId id, boolean quarantined) {}

    record UserQuarantine(TenantId tenant, UserId uploader) {}

    record Deletion(TenantId tenant, MediaId id) {}
}
