// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.device.Devices;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.KeyUpload.UploadedKey;
import rookery.auth.userlog.UserLog;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.platform.log.append.EntryDraft;
import rookery.platform.log.append.Outcome.Accepted;

/** Stores uploaded device keys and appends the changes to the user's log. */
@Component
class KeyUploader {
    private final UserLog userLog;
    private final Devices devices;
    private final DeviceKeys deviceKeys;
    private final OneTimeKeys oneTimeKeys;
    private final FallbackKeys fallbackKeys;
    private final KeyCounts counts;

    KeyUploader(
            UserLog userLog,
            Devices devices,
            DeviceKeys deviceKeys,
            OneTimeKeys oneTimeKeys,
            FallbackKeys fallbackKeys,
            KeyCounts counts) {
        this.userLog = userLog;
        this.devices = devices;
        this.deviceKeys = deviceKeys;
        this.oneTimeKeys = oneTimeKeys;
        this.fallbackKeys = fallbackKeys;
        this.counts = counts;
    }

    /**
     * Stores all keys or none. Returns the counts after the upload. M_INVALID_PARAM for changed identity keys, a different key
     * under an existing ID, and too many keys; M_UNKNOWN_TOKEN for a device that has just been logged out.
     */
    Mono<KeyCountsSet> upload(TenantDevice device, KeyUpload upload) {
        return upload.isEmpty()
                ? counts.of(device).map(KeyCounts.CountsAtHead::counts)
                : userLog.append(device.tenant(), device.user(), pos -> uploaded(device, upload, pos));
    }

    /**
     * The keys that are new; a new signature alone does not make a key new. M_INVALID_PARAM for a different key under an existing
     * ID, and for too many keys. Pure.
     */
    static List<UploadedKey> judged(List<UploadedKey> uploaded, Map<KeyId, String> stored, Map<String, Long> left) {
        var added = new ArrayList<UploadedKey>();
        var sums = new HashMap<>(left);
        for (var key : uploaded) {
            String content = stored.get(key.id());
            if (content == null) {
                added.add(key);
                sums.merge(key.id().algorithm(), 1L, Long::sum);
            } else if (!SignedObject.isSame(key.content(), content)) {
                throw new ApiException(ErrorCode.M_INVALID_PARAM, "a different key exists under the ID " + key.id());
            }
        }
        // one more than the limit of an upload: the usual algorithm has a count even if it is 0
        if (sums.size() > KeyUpload.ALGORITHMS_MAX + 1
                || sums.values().stream().anyMatch(sum -> sum > KeyUpload.KEYS_MAX)) {
            throw KeyUpload.tooMany();
        }
        return added;
    }

    private Mono<Accepted<KeyCountsSet>> uploaded(TenantDevice device, KeyUpload upload, long pos) {
        return devices.ids(device.tenant(), device.user())
                .filter(ids -> ids.contains(device.device()))
                .switchIfEmpty(Mono.error(KeyUploader::loggedOut))
                .delayUntil(_ -> deviceKeys.find(device).doOnNext(upload::requireSameIdentity))
                .flatMap(_ -> fallbackKeys.of(device))
                .map(stored -> newFallback(upload.fallback(), stored))
                .flatMap(fallback -> oneTimeKeys
                        .find(device, upload.oneTime())
                        .flatMap(stored -> newOneTime(device, upload.oneTime(), stored))
                        .flatMap(added -> written(device, upload.deviceKeys(), added, fallback, pos)));
    }

    /** The new fallback keys. A repeated upload keeps the used mark, also if only the signature is new. */
    private static List<UploadedKey> newFallback(List<UploadedKey> uploaded, Map<KeyId, String> stored) {
        var algorithms = new HashSet<String>();
        stored.keySet().forEach(id -> algorithms.add(id.algorithm()));
        uploaded.forEach(key -> algorithms.add(key.id().algorithm()));
        if (algorithms.size() > KeyUpload.ALGORITHMS_MAX) {
            throw KeyUpload.tooMany();
        }
        return uploaded.stream()
                .filter(key -> !SignedObject.isSame(key.content(), stored.get(key.id())))
                .toList();
    }

    private Mono<List<UploadedKey>> newOneTime(
            TenantDevice device, List<UploadedKey> uploaded, Map<KeyId, String> stored) {
        return counts.of(device)
                .map(counted -> judged(uploaded, stored, counted.counts().oneTimeKeys()));
    }

    private Mono<Accepted<KeyCountsSet>> written(
            TenantDevice device, @Nullable String keys, List<UploadedKey> added, List<UploadedKey> fallback, long pos) {
        var changed = keys == null ? Mono.just(false) : deviceKeys.put(device, keys);
        return oneTimeKeys
                .insert(device, added, pos)
                .then(Mono.defer(() -> fallbackKeys.put(device, fallback)))
                .then(changed)
                .flatMap(isChanged -> accepted(device, isChanged, !fallback.isEmpty() || !added.isEmpty()));
    }

    private Mono<Accepted<KeyCountsSet>> accepted(TenantDevice device, boolean isKeysChanged, boolean isCountsChanged) {
        return counts.of(device).map(counted -> {
            var entries = new ArrayList<EntryDraft>();
            if (isKeysChanged) {
                entries.add(UserLog.entry(device.tenant(), device.user(), new DeviceKeysChanged(device.user())));
            }
            if (isCountsChanged) {
                entries.add(UserLog.entry(device.tenant(), device.user(), counted.counts()));
            }
            return new Accepted<>(entries, counted.counts());
        });
    }

    private static ApiException loggedOut() {
        return new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "this device was logged out").with("soft_logout", false);
    }
}
