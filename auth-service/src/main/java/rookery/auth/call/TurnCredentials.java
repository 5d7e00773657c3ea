// SPDX-License-Identifier: Apache-2.0
package rookery.auth.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import rookery.auth.call.TurnProperties.TurnServer;
import rookery.model.id.UserId;

/**
 * Credentials for a TURN server that shares a secret with this server and knows no users: the name contains the end of the
 * credentials, and the password is the HMAC-SHA1 of the name, as TURN servers expect with {@code use-auth-secret}.
 *
 * @param ttl seconds
 */
record TurnCredentials(String username, String password, List<String> uris, long ttl) {
    private static final String HMAC = "HmacSHA1";

    static TurnCredentials of(TurnServer server, UserId user, Instant now) {
        String username = now.plus(server.life()).getEpochSecond() + ":" + user.value();
        return new TurnCredentials(
                username,
                password(server.sharedSecret(), username),
                server.uris(),
                server.life().toSeconds());
    }

    private static String password(String secret, String username) {
        try {
            var mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), HMAC));
            return Base64.getEncoder().encodeToString(mac.doFinal(username.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HMAC-SHA1", e);
        }
    }
}
