package rookery.room.media;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/** Where no folder is set: nothing can be uploaded (403), and nothing is there. */
final class NoMediaStore implements MediaStore {
    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public Mono<Content> put(TenantId tenant, Flux<DataBuffer> parts, long most) {
        return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "this server takes no files"));
    }

    @Override
    public Mono<Path> find(TenantId tenant, ContentHash hash) {
        return Mono.empty();
    }

    @Override
    public Mono<Void> check() {
        return Mono.empty();
    }

    @Override
    public Mono<Void> clean(Instant before) {
        return Mono.empty();
    }

    @Override
    public Flux<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) {
        return Flux.empty();
    }

    @Override
    public Mono<Void> delete(TenantId tenant, ContentHash hash, Instant before) {
        return Mono.empty();
    }
}
