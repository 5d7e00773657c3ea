// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.util.Map;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.platform.http.BodyStream;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;

/** The files of a tenant that is exported or imported, by hash (contract.md 21). Internal. */
@RestController
@Callers(ServiceName.ADMIN)
class TransferredMediaApi {
    private static final long BYTES_MAX = Long.MAX_VALUE;

    private final MediaStore store;

    TransferredMediaApi(MediaStore store) {
        this.store = store;
    }

    /** The bytes of a content from an offset on. M_NOT_FOUND. */
    @GetMapping("/internal/tenants/media/{tenant}/{hash}")
    Flux<DataBuffer> read(
            @PathVariable int tenant,
            @PathVariable String hash,
            @RequestParam(defaultValue = "0") long from,
            @RequestParam long size) {
        return store.read(new TenantId(tenant), new ContentHash(hash), from, size);
    }

    /** M_INVALID_PARAM for a body with another hash, which the sweeper deletes. */
    @PostMapping("/internal/tenants/media/{tenant}/{hash}")
    Mono<Map<String, Object>> store(@PathVariable int tenant, @PathVariable String hash, BodyStream body) {
        return store.put(new TenantId(tenant), body.parts(), BYTES_MAX)
                .filter(content -> content.hash().hex().equals(hash))
                .switchIfEmpty(Mono.error(
                        new ApiException(ErrorCode.M_INVALID_PARAM, "the bytes have another SHA-256 than their name")))
                .thenReturn(Map.of());
    }
}
