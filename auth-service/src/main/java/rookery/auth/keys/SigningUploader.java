// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.Passed;
import rookery.auth.interactive.Interactive;
import rookery.auth.keys.SigningUpload.Change;
import rookery.auth.keys.SigningUpload.Unchanged;
import rookery.auth.userlog.UserLog;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.platform.log.append.Outcome.Accepted;

/** Stores cross-signing keys. The first keys need only an access token; replacing keys needs the account's password. */
@Component
class SigningUploader {
    private final UserLog userLog;
    private final CrossSigningKeys keys;
    private final Interactive interactive;

    SigningUploader(UserLog userLog, CrossSigningKeys keys, Interactive interactive) {
        this.userLog = userLog;
        this.keys = keys;
        this.interactive = interactive;
    }

    /**
     * Stores the keys. M_MISSING_PARAM, M_INVALID_SIGNATURE; M_FORBIDDEN for a public key that equals a device ID.
     *
     * @param passed the caller's authentication, or null
     */
    Mono<Result> upload(TenantId tenant, UserId user, SigningUpload upload, @Nullable Passed passed) {
        return userLog.append(tenant, user, _ -> uploaded(tenant, user, upload, passed));
    }

    /** The result of an upload. */
    enum Result {
        /** The uploaded keys are stored. */
        DONE,
        /** Other keys are stored, and the caller has not authenticated. */
        PASSWORD_NEEDED,
        /** Another request has used the authentication; nothing has changed. */
        USED_UP
    }

    /** Runs under the lock of the shard: of two concurrent first uploads, the second finds the keys of the first. */
    private Mono<Accepted<Result>> uploaded(
            TenantId tenant, UserId user, SigningUpload upload, @Nullable Passed passed) {
        return keys.shown(tenant, user, List.of(user)).map(upload::judge).flatMap(verdict -> switch (verdict) {
            case Unchanged() -> unchanged(Result.DONE);
            case Change change -> changed(tenant, user, change, passed);
        });
    }

    private Mono<Accepted<Result>> changed(TenantId tenant, UserId user, Change change, @Nullable Passed passed) {
        return keys.isDevice(tenant, user, change.written()).flatMap(isDevice -> {
            if (isDevice) {
                return Mono.error(new ApiException(ErrorCode.M_FORBIDDEN, "the public key is also the ID of a device"));
            }
            if (passed == null) {
                return change.isFirst() ? written(tenant, user, change) : unchanged(Result.PASSWORD_NEEDED);
            }
            return interactive
                    .consume(tenant, passed, user, null)
                    .flatMap(mayRun -> mayRun ? written(tenant, user, change) : unchanged(Result.USED_UP));
        });
    }

    private Mono<Accepted<Result>> written(TenantId tenant, UserId user, Change change) {
        var entry = UserLog.entry(tenant, user, new DeviceKeysChanged(user));
        return keys.write(tenant, user, change).thenReturn(new Accepted<>(List.of(entry), Result.DONE));
    }

    private static Mono<Accepted<Result>> unchanged(Result result) {
        return Mono.just(new Accepted<>(List.of(), result));
    }
}
