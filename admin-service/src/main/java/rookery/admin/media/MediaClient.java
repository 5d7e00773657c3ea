// SPDX-License-Identifier: Apache-2.0
package rookery.admin.media;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.admin.list.ListQuery;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.ListOrder;
import rookery.platform.http.ServiceClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Client of room-service, the owner of the files. */
@Component
public class MediaClient {
    private static final String ROOM = "room-service";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ServiceClient services;

    MediaClient(ServiceClient services) {
        this.services = services;
    }

    /** Filter of files; a null component matches every file. */
    public record Filter(
            TenantId tenant,
            @Nullable UserId uploader,
            @Nullable Boolean quarantined,
            @Nullable MediaId id) {}

    /** The matching files, usually the newest first, as lines ({@code ListLines}). */
    Flux<String> list(Filter filter, ListQuery query) {
        var question = new Question(filter, query.from(), query.limit(), query.order());
        return services.lines(ROOM, "media", "/internal/admin/media", question);
    }

    /** The file as in the list; M_NOT_FOUND. */
    public Mono<JsonNode> find(TenantId tenant, MediaId id) {
        return list(new Filter(tenant, null, null, id), new ListQuery("", null, null, null))
                .map(JSON::readTree)
                .filter(line -> line.has("media_id"))
                .next()
                .switchIfEmpty(Mono.error(MediaId::notFound));
    }

    /** M_NOT_FOUND. */
    public Mono<JsonNode> quarantine(TenantId tenant, MediaId id, boolean quarantined) {
        var change = new Quarantine(tenant, id, quarantined);
        return services.post(ROOM, id.value(), "/internal/admin/media/quarantine", change, JsonNode.class);
    }

    /** M_NOT_FOUND. */
    public Mono<JsonNode> delete(TenantId tenant, MediaId id) {
        return services.post(
                ROOM, id.value(), "/internal/admin/media/delete", new Deletion(tenant, id), JsonNode.class);
    }

    /** Hides all files of a user, and all of equal content; {@code number} files were hidden. */
    public Mono<JsonNode> quarantineAll(TenantId tenant, UserId uploader) {
        return services.post(
                ROOM,
                uploader.value(),
                "/internal/admin/media/quarantine-all",
                new UserQuarantine(tenant, uploader),
                JsonNode.class);
    }

    private record UserQuarantine(TenantId tenant, UserId uploader) {}

    private record Question(
            Filter filter,
            String after,
            @Nullable Integer limit,
            @Nullable ListOrder order) {}

    private record Quarantine(TenantId tenant, MediaId id, boolean quarantined) {}

    private record Deletion(TenantId tenant, MediaId id) {}
}
