// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keys;

import java.util.List;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.SignaturesUpload.ValidSignature;
import rookery.auth.keys.SignaturesUpload.Verdict;
import rookery.auth.userlog.UserLog;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.platform.log.append.Outcome.Accepted;

/**
 * Stores uploaded signatures. Hundreds of signatures take a while to verify, so a parallel scheduler verifies them before the
 * shard is locked. The write compares the signed contents again.
 */
@Component
class SignatureUploader {
    private final UserLog userLog;
    private final DeviceKeys deviceKeys;
    private final CrossSigningKeys crossSigningKeys;

    SignatureUploader(UserLog userLog, DeviceKeys deviceKeys, CrossSigningKeys crossSigningKeys) {
        this.userLog = userLog;
        this.deviceKeys = deviceKeys;
        this.crossSigningKeys = crossSigningKeys;
    }

    /** Stores the valid signatures; the verdict lists the failures. */
    Mono<Verdict> upload(TenantId tenant, SignaturesUpload upload) {
        var signer = upload.signer();
        return deviceKeys
                .ofUsers(tenant, List.of(signer))
                .collectList()
                .flatMap(devices -> crossSigningKeys
                        .shown(tenant, signer, upload.users())
                        .publishOn(Schedulers.parallel())
                        .map(keys -> upload.judge(devices, keys)))
                .delayUntil(verdict -> verdict.good().isEmpty()
                        ? Mono.empty()
                        : userLog.append(tenant, signer, _ -> stored(tenant, signer, verdict.good())));
    }

    /** One entry for each user with visibly changed keys. */
    private Mono<Accepted<Boolean>> stored(TenantId tenant, UserId signer, List<ValidSignature> signatures) {
        return Flux.fromIterable(signatures)
                .filterWhen(good -> isNew(tenant, signer, good))
                .map(ValidSignature::owner)
                .distinct()
                .map(owner -> UserLog.entry(tenant, signer, new DeviceKeysChanged(owner)))
                .collectList()
                .map(entries -> new Accepted<>(entries, true));
    }

    private Mono<Boolean> isNew(TenantId tenant, UserId signer, ValidSignature good) {
        String device = good.device();
        return device == null
                ? crossSigningKeys.sign(
                        tenant, good.owner(), good.content(), signer, good.signerKey(), good.signature())
                : deviceKeys.sign(
                        new TenantDevice(tenant, signer, new DeviceId(device)),
                        good.content(),
                        good.signerKey(),
                        good.signature());
    }
}
