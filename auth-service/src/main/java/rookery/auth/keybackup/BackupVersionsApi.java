// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.KeyBackups.BackupRow;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.JsonBody;
import rookery.platform.json.CanonicalJson;
import rookery.platform.json.JsonText;

/**
 * The versions of a user's key backup (contract.md 13.5). Errors: M_NOT_FOUND, M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM,
 * M_TOO_LARGE.
 */
@RestController
class BackupVersionsApi {
    private static final String VERSIONS = "/_api/client/v3/room_keys/version";
    private static final String VERSION = VERSIONS + "/{version}";
    private static final int ALGORITHM_BYTES_MAX = 255;
    private static final int DATA_BYTES_MAX = 32 << 10;

    private final KeyBackups backups;
    private final BackupKeeper keeper;

    BackupVersionsApi(KeyBackups backups, BackupKeeper keeper) {
        this.backups = backups;
        this.keeper = keeper;
    }

    @PostMapping(VERSIONS)
    Mono<Map<String, String>> create(Caller caller, JsonBody body) {
        return keeper.create(caller.tenant(), caller.user(), algorithm(body), data(body))
                .map(version -> Map.of("version", Long.toString(version)));
    }

    @GetMapping(VERSIONS)
    Mono<VersionResponse> latest(Caller caller) {
        return response(backups.latest(caller.tenant(), caller.user()));
    }

    @GetMapping(VERSION)
    Mono<VersionResponse> one(Caller caller, @PathVariable String version) {
        return response(backups.find(BackupVersion.of(caller.tenant(), caller.user(), version)));
    }

    @PutMapping(VERSION)
    Mono<Map<String, Object>> set(Caller caller, @PathVariable String version, JsonBody body) {
        String named = body.optionalString("version");
        if (named != null && !named.equals(version)) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "the version in the body differs from the path");
        }
        return keeper.setData(BackupVersion.of(caller.tenant(), caller.user(), version), algorithm(body), data(body))
                .thenReturn(Map.of());
    }

    @DeleteMapping(VERSION)
    Mono<Map<String, Object>> delete(Caller caller, @PathVariable String version) {
        return keeper.delete(BackupVersion.of(caller.tenant(), caller.user(), version))
                .thenReturn(Map.of());
    }

    private static String algorithm(JsonBody body) {
        String algorithm = body.string("algorithm");
        if (algorithm.isEmpty()
                || algorithm.getBytes(StandardCharsets.UTF_8).length > ALGORITHM_BYTES_MAX
                || algorithm.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new ApiException(ErrorCode.M_INVALID_PARAM, "this is not the name of an algorithm");
        }
        return algorithm;
    }

    private static String data(JsonBody body) {
        String data = CanonicalJson.write(body.object("auth_data").json());
        if (data.getBytes(StandardCharsets.UTF_8).length > DATA_BYTES_MAX) {
            throw new ApiException(ErrorCode.M_TOO_LARGE, "auth_data has at most " + DATA_BYTES_MAX + " bytes");
        }
        return data;
    }

    private static Mono<VersionResponse> response(Mono<BackupRow> backup) {
        return backup.map(VersionResponse::of).switchIfEmpty(Mono.error(BackupVersion::unknown));
    }

    record VersionResponse(
            String algorithm, @JsonProperty("auth_data") JsonText authData, long count, String etag, String version) {
        static VersionResponse of(BackupRow stored) {
            return new VersionResponse(
                    stored.algorithm(),
                    stored.authData(),
                    stored.sessions(),
                    Long.toString(stored.etag()),
                    Long.toString(stored.version()));
        }
    }
}
