// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import rookery.model.caller.Caller;
import rookery.model.crypto.HmacSha256;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.token.TokenCodec;
import rookery.model.token.TokenOwner;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;

/**
 * The cookie of a session: the access token, encrypted with a key that only admin-service has. Whoever copies the cookie can neither
 * read the token nor use the cookie outside the console, in another tenant, or after the session's end.
 */
@Component
class ConsoleCookie {
    static final String PATH = "/_rookery/console";

    private static final char KIND = 'C';
    private static final int LENGTH_MAX = 1_000;
    private static final String SEPARATOR = "\n";

    private final TokenCodec codec;
    private final HmacSha256 forms;
    private final Duration lifetime;
    private final Clock clock;

    ConsoleCookie(InternalProperties keys, RandomGenerator random, ConsoleProperties properties, Clock clock) {
        this.codec = new TokenCodec(keys.derived(ServiceName.ADMIN, "console"), random);
        this.forms = new HmacSha256(keys.derived(ServiceName.ADMIN, "console forms"));
        this.lifetime = properties.sessionMax();
        this.clock = clock;
    }

    /**
     * Whose sessions a cookie holds.
     *
     * @param name of the cookie; browsers send the cookies of all ports of a host
     * @param owner from whose name the key is derived; nobody can have it
     */
    record Owner(String name, TokenOwner owner) {
        /** The operators of the installation. */
        static final Owner OPERATORS =
                new Owner("rookery_operator", new TokenOwner(new TenantId(0), new UserId("@operator:console.invalid")));

        /** The administrators of the visitor's tenant. */
        static Owner of(Caller visitor) {
            var name = new UserId("@console:" + visitor.server().value());
            return new Owner("rookery_console", new TokenOwner(visitor.tenant(), name));
        }
    }

    /** The value of the request's cookie, or null. */
    static @Nullable String of(ServerHttpRequest request, Owner owner) {
        var cookie = request.getCookies().getFirst(owner.name);
        return cookie == null || cookie.getValue().length() > LENGTH_MAX ? null : cookie.getValue();
    }

    /** The cookie that holds a new session. */
    ResponseCookie sealed(Owner owner, String accessToken, HttpHeaders request) {
        var content = clock.millis() + SEPARATOR + accessToken;
        var value = codec.write(KIND, content.getBytes(StandardCharsets.UTF_8), owner.owner);
        return cookie(owner, value, request).maxAge(lifetime).build();
    }

    /** The cookie that deletes the session's cookie in the browser. */
    static ResponseCookie deleted(Owner owner, HttpHeaders request) {
        return cookie(owner, "", request).maxAge(0).build();
    }

    /** The access token in a cookie's value; null for a damaged, foreign or expired one. */
    @Nullable
    String accessToken(Owner owner, String value) {
        try {
            var content = new String(codec.read(KIND, value, owner.owner), StandardCharsets.UTF_8);
            int end = content.indexOf(SEPARATOR);
            var since = Instant.ofEpochMilli(Long.parseLong(content.substring(0, end)));
            return since.plus(lifetime).isAfter(clock.instant()) ? content.substring(end + 1) : null;
        } catch (ApiException _) {
            return null;
        }
    }

    /** The token for the forms of a session. */
    String formToken(String value) {
        return HexFormat.of().formatHex(forms.of(value));
    }

    private static ResponseCookie.ResponseCookieBuilder cookie(Owner owner, String value, HttpHeaders request) {
        // a browser names the scheme of its page in Origin; proxies need not be trusted for this
        boolean isEncrypted = String.valueOf(request.getOrigin()).startsWith("https://");
        return ResponseCookie.from(owner.name, value)
                .path(PATH)
                .httpOnly(true)
                .sameSite("Strict")
                .secure(isEncrypted);
    }
}
