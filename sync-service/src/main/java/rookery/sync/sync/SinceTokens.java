// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import rookery.model.error.ApiException;
import rookery.model.token.SyncToken;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.tenant.Tenants;

/**
 * Reads the tokens with which clients go on. The clients of an imported tenant still have tokens of the other installation, which
 * nobody can read here: they begin anew, with everything, as without a token (contract.md 21).
 */
@Component
public final class SinceTokens {
    private final TokenCodec tokens;
    private final Tenants tenants;

    SinceTokens(TokenCodec tokens, Tenants tenants) {
        this.tokens = tokens;
        this.tenants = tenants;
    }

    /** M_INVALID_PARAM; null without a token, and for a token of the installation from which the tenant was imported. */
    public @Nullable SyncToken read(@Nullable String text, TokenOwner owner) {
        if (text == null) {
            return null;
        }
        try {
            return tokens.readSync(text, owner);
        } catch (ApiException refusal) {
            if (tenants.isImported(owner.tenant())) {
                return null;
            }
            throw refusal;
        }
    }
}
