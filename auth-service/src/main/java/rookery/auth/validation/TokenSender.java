// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import rookery.auth.threepid.Medium;
import rookery.auth.threepid.ThreepidPolicies;
import rookery.auth.threepid.Threepids;
import rookery.auth.validation.Validations.ValidationAttempt;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;

/** Starts the validation of an address: sends a token to the address (contract.md 7.2). */
@Component
class TokenSender {
    private static final int TOKEN_BYTES = 32;
    private static final int SID_BYTES = 16;
    private static final int CODES = 1_000_000;

    private final Validations validations;
    private final SendLimits limits;
    private final Threepids threepids;
    private final Messages messages;
    private final TenantUrls urls;
    private final ThreepidPolicies policies;
    private final RandomGenerator random;
    private final TransactionalOperator tx;

    TokenSender(
            Validations validations,
            SendLimits limits,
            Threepids threepids,
            Messages messages,
            TenantUrls urls,
            ThreepidPolicies policies,
            RandomGenerator random,
            TransactionalOperator tx) {
        this.validations = validations;
        this.limits = limits;
        this.threepids = threepids;
        this.messages = messages;
        this.urls = urls;
        this.policies = policies;
        this.random = random;
        this.tx = tx;
    }

    /**
     * Returns the ID of the validation, after the message was sent. Errors: M_THREEPID_MEDIUM_NOT_SUPPORTED,
     * M_THREEPID_DENIED, M_INVALID_PARAM for next_link, M_THREEPID_IN_USE, M_THREEPID_NOT_FOUND, M_LIMIT_EXCEEDED; 503 if the
     * message cannot be sent.
     */
    Mono<String> send(Caller caller, TokenRequest request) {
        var tenant = caller.tenant();
        String link = requireAllowed(tenant, request);
        String token = newToken(request.threepid().medium());
        var owner = request.purpose() == Purpose.PASSWORD
                ? threepids.recoverable(tenant, request.threepid())
                : threepids.owner(tenant, request.threepid());
        return owner.hasElement()
                .map(request.purpose()::fits)
                .flatMap(fits -> fits || policies.of(tenant).hideKnownAddresses()
                        ? started(tenant, request, token, link)
                                .as(tx::transactional)
                                .flatMap(started -> sent(caller, request, started, fits ? token : null))
                        : Mono.error(request.purpose().misfit()));
    }

    private @Nullable String requireAllowed(TenantId tenant, TokenRequest request) {
        var threepid = request.threepid();
        if (!messages.isOn(tenant, threepid.medium())) {
            throw new ApiException(
                    ErrorCode.M_THREEPID_MEDIUM_NOT_SUPPORTED, "this server sends no messages of this kind");
        }
        if (!policies.of(tenant).allows(threepid)) {
            throw new ApiException(ErrorCode.M_THREEPID_DENIED, "this address may not be used here");
        }
        String link = request.nextLink();
        return link == null ? null : urls.requireTrusted(tenant, link);
    }

    /** @param sends whether this request sends the message */
    private record StartedValidation(String sid, boolean sends) {}

    private Mono<StartedValidation> started(
            TenantId tenant, TokenRequest request, String token, @Nullable String link) {
        return validations
                .open(tenant, request.threepid(), request.purpose(), request.clientSecret(), encoded(SID_BYTES))
                .flatMap(opened -> request.attempt() > opened.attempt()
                        ? claimed(tenant, request, opened, token, link)
                        : Mono.just(new StartedValidation(opened.sid(), false)));
    }

    private Mono<StartedValidation> claimed(
            TenantId tenant, TokenRequest request, ValidationAttempt opened, String token, @Nullable String link) {
        return limits.count(tenant, request.threepid())
                .then(Mono.defer(() -> validations.claim(tenant, opened.sid(), request.attempt(), token, link)))
                .thenReturn(new StartedValidation(opened.sid(), true));
    }

    /** @param token null to send the reason for the refusal instead of a token */
    private Mono<String> sent(Caller caller, TokenRequest request, StartedValidation started, @Nullable String token) {
        if (!started.sends) {
            return Mono.just(started.sid);
        }
        var tenant = caller.tenant();
        var message = token == null
                ? messages.sendMisfit(tenant, caller.server(), request)
                : messages.send(tenant, caller.server(), request, started.sid, token);
        return message.onErrorResume(
                        failure -> reverted(tenant, request, started.sid).then(Mono.error(failure)))
                .then(Mono.defer(() -> validations.sent(tenant, started.sid, request.attempt())))
                .thenReturn(started.sid);
    }

    private Mono<Void> reverted(TenantId tenant, TokenRequest request, String sid) {
        return validations
                .notSent(tenant, sid, request.attempt())
                .then(Mono.defer(() -> limits.giveBack(tenant, request.threepid())))
                .as(tx::transactional);
    }

    private String newToken(Medium medium) {
        return switch (medium) {
            case EMAIL -> encoded(TOKEN_BYTES);
            case MSISDN -> "%06d".formatted(random.nextInt(CODES));
        };
    }

    private String encoded(int bytes) {
        byte[] secret = new byte[bytes];
        random.nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }
}
