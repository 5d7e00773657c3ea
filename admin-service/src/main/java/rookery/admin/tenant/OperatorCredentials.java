// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.crypto.Sha256;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * Makes, checks and revokes the tokens of operators (contract.md 20). Every request is checked against the database, so a
 * revoked operator is refused at once by every instance. The token of the configuration is the root operator's, and needs no
 * database.
 */
@Component
class OperatorCredentials {
    private static final String BEARER = "Bearer ";
    private static final String PREFIX = "rkp_";
    private static final int TOKEN_BYTES = 32;
    private static final int CONFLICT = 409;
    private static final String NAME = "[a-z0-9][a-z0-9._-]{0,63}";

    private final Operators operators;
    private final SecretMaker secrets;
    private final byte[] rootHash;
    private final boolean hasRoot;

    OperatorCredentials(Operators operators, SecretMaker secrets, OperatorProperties properties) {
        this.operators = operators;
        this.secrets = secrets;
        this.rootHash = Sha256.of(properties.token());
        this.hasRoot = !properties.token().isEmpty();
    }

    /** @param writes whether the operator may change something */
    record Operator(String name, boolean writes) {
        private static final String ROOT_NAME = "root";
        static final Operator ROOT = new Operator(ROOT_NAME, true);

        boolean isRoot() {
            return name.equals(ROOT_NAME);
        }
    }

    /** The operator of the header {@code Authorization}; M_MISSING_TOKEN, M_UNKNOWN_TOKEN. */
    Mono<Operator> operator(@Nullable String authorization) {
        if (authorization == null || !authorization.startsWith(BEARER)) {
            return Mono.error(
                    new ApiException(ErrorCode.M_MISSING_TOKEN, "send an operator's token as Authorization: Bearer"));
        }
        byte[] hash = Sha256.of(authorization.substring(BEARER.length()));
        if (hasRoot && MessageDigest.isEqual(hash, rootHash)) {
            return Mono.just(Operator.ROOT);
        }
        return operators
                .find(hash)
                .map(row -> new Operator(row.name(), row.writes()))
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_UNKNOWN_TOKEN, "this is no token of an operator")));
    }

    /** Makes an operator, and returns the token, of which only the hash is stored. M_INVALID_PARAM, with 409 for a name in use. */
    Mono<String> make(String name, boolean writes, Operator by) {
        if (!name.matches(NAME) || name.equals(Operator.ROOT.name)) {
            return Mono.error(new ApiException(
                    ErrorCode.M_INVALID_PARAM,
                    "a name is 1 to 64 characters a-z 0-9 . _ - with a letter or digit first, and not root"));
        }
        var token = PREFIX + secrets.random(TOKEN_BYTES);
        return operators
                .insert(name, Sha256.of(token), writes, by.name)
                .flatMap(isMade -> isMade
                        ? Mono.just(token)
                        : Mono.error(new ApiException(ErrorCode.M_INVALID_PARAM, "there is an operator " + name)
                                .withStatus(CONFLICT)));
    }

    /** M_NOT_FOUND. */
    Mono<Void> revoke(String name) {
        return (name.matches(NAME) ? operators.delete(name) : Mono.just(false))
                .flatMap(isRevoked -> isRevoked
                        ? Mono.empty()
                        : Mono.error(new ApiException(ErrorCode.M_NOT_FOUND, "there is no such operator")));
    }
}
