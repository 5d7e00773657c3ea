package rookery.auth.keys;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import rookery.auth.device.TenantDevice;
import rookery.auth.keys.SignaturesUpload.ValidSignature;
import rookery.auth.keys.SignaturesUpload.Verdict;
import rookery.auth.userlog.UserLog;
import rookery.auth.userlog.UserLogDraft;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.platform.log.append.Outcome;
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
                        : userLog.append(new Draft(tenant, signer, verdict.good())));
    }

    private final class Draft implements UserLogDraft<Boolean> {
        private final TenantId tenant;
        private final UserId signer;
        private final List<ValidSignature> signatures;

        Draft(TenantId tenant, UserId signer, List<ValidSignature> signatures) {
            this.tenant = tenant;
            this.signer = signer;
            this.signatures = signatures;
        }

        @Override
        public TenantId tenant() {
            return tenant;
        }

        @Override
        public UserId user() {
            return signer;
        }

        /** One entry for each user with visibly changed keys. */
        @Override
        public Mono<Outcome<Boolean>> applied(long pos) {
            return Flux.fromIterable(signatures)
                    .concatMap(good -> stored(good).filter(isNews -> isNews).map(_ -> good.owner()))
                    .collect(LinkedHashSet<UserId>::new, LinkedHashSet::add)
                    .map(owners -> new Accepted<>(
                            owners.stream()
                                    .map(owner -> UserLog.entry(tenant, signer, new DeviceKeysChanged(owner)))
                                    .toList(),
                            true));
        }

        private Mono<Boolean> stored(ValidSignature good) {
            return good.device() == null
                    ? crossSigningKeys.sign(
                            tenant, good.owner(), good.content(), signer, good.signerKey(), good.signature())
                    : deviceKeys.sign(
                            new TenantDevice(tenant, signer, new DeviceId(Objects.requireNonNull(good.device()))),
                            good.content(),
                            good.signerKey(),
                            good.signature());
        }
    }
}
