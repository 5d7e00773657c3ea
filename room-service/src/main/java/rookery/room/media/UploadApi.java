// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.caller.Caller;
import rookery.model.id.MediaId;
import rookery.platform.disk.DiskWatch;
import rookery.platform.http.BodyStream;
import rookery.platform.http.MediaProperties;
import rookery.room.media.Uploader.Claim;

/** Uploads (contract.md 13.4). Errors: M_TOO_LARGE; M_FORBIDDEN beyond a quota; 507 while a disk is almost full. */
@RestController
public class UploadApi {
    private static final int NAME_CHARS_MAX = 255;

    private final Uploader uploader;
    private final DiskWatch disks;
    private final MediaProperties limits;
    private final MediaStore store;

    UploadApi(Uploader uploader, DiskWatch disks, MediaProperties limits, MediaStore store) {
        this.uploader = uploader;
        this.disks = disks;
        this.limits = limits;
        this.store = store;
    }

    /** The largest upload in bytes; 0 without a storage. */
    @GetMapping({"/_api/client/v1/media/config", "/_api/media/v3/config"})
    MediaConfig config() {
        return new MediaConfig(store.isOpen() ? limits.sizeMax().toBytes() : 0);
    }

    /** The body is the file's bytes. */
    @PostMapping("/_api/media/v3/upload")
    Mono<UploadAnswer> upload(
            Caller caller,
            @RequestHeader(name = HttpHeaders.CONTENT_TYPE, required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String filename,
            BodyStream body) {
        disks.requireRoomForUploads();
        return uploader.upload(caller, claim(type, filename), body).map(id -> new UploadAnswer(uri(caller, id), null));
    }

    /**
     * Reserves an id for a later upload; {@code unused_expires_at} is in ms. M_LIMIT_EXCEEDED beyond the number
     * of open reservations.
     */
    @PostMapping("/_api/media/v1/create")
    Mono<UploadAnswer> create(Caller caller) {
        return uploader.reserve(caller)
                .map(reservation -> new UploadAnswer(uri(caller, reservation.id()), reservation.unusedUntilMillis()));
    }

    /** The body is the file's bytes. M_NOT_FOUND; M_FORBIDDEN for another user's id; M_CANNOT_OVERWRITE_MEDIA for a used id. */
    @PutMapping("/_api/media/v3/upload/{server}/{id}")
    Mono<Map<String, String>> uploadTo(
            Caller caller,
            @PathVariable String server,
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.CONTENT_TYPE, required = false) @Nullable String type,
            @RequestParam(required = false) @Nullable String filename,
            BodyStream body) {
        disks.requireRoomForUploads();
        return uploader.uploadTo(caller, server, id, claim(type, filename), body)
                .thenReturn(Map.of());
    }

    private static Claim claim(@Nullable String type, @Nullable String filename) {
        return new Claim(type, filename == null ? null : name(filename));
    }

    /** The file name without characters that matter to headers or shells, since downloads carry the name. */
    public static @Nullable String name(String filename) {
        String clean = filename.replaceAll("[\\p{Cntrl}\\p{Cs}/\\\\]", "_").strip();
        int chars = Math.min(clean.length(), NAME_CHARS_MAX);
        return clean.isEmpty() ? null : clean.substring(0, chars);
    }

    private static String uri(Caller caller, MediaId id) {
        return "mxc://" + caller.server().value() + "/" + id.value();
    }

    record MediaConfig(@JsonProperty("m.upload.size") long uploadSize) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record UploadAnswer(
            @JsonProperty("content_uri") String contentUri,
            @JsonProperty("unused_expires_at") @Nullable Long unusedExpiresAt) {}
}
