// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.mailsTo;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.validated;

import jakarta.mail.internet.MimeMessage;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;

/** The limits of messages, and answers that do not reveal existing accounts (contract.md 2.6). */
class SendingLimitsIT {
    private static final String REGISTER = "/_api/client/v3/register/email/requestToken";
    private static final String PASSWORD = "/_api/client/v3/account/password/email/requestToken";
    /** Maps an ASCII letter to the full-width letter. */
    private static final int FULL_WIDTH = 0xFEE0;

    @Test
    void lettersThatLookAlikeAreOneAddressToWhoCounts() {
        String email = newEmail();
        int at = email.indexOf('@');
        String wide = email.substring(0, at)
                        .chars()
                        .mapToObj(letter ->
                                Character.toString(Character.isLetterOrDigit(letter) ? letter + FULL_WIDTH : letter))
                        .collect(Collectors.joining())
                + email.substring(at);
        for (int i = 1; i <= 5; i++) {
            assertThat(requestEmail(ALPHA, "register", i % 2 == 0 ? email : wide, "secret" + i, 1)
                            .status())
                    .isEqualTo(200);
        }

        assertThat(requestEmail(ALPHA, "register", wide, "secret", 1).refusal()).isEqualTo("429 M_LIMIT_EXCEEDED");
        assertThat(requestEmail(ALPHA, "register", email, "secret", 1).refusal())
                .isEqualTo("429 M_LIMIT_EXCEEDED");
    }

    @Test
    void lettersThatLookAlikeAreOneAddressToPatterns() {
        assertThat(requestEmail(ALPHA, "register", "anybody@\uff44enied.example", "secret", 1)
                        .refusal())
                .isEqualTo("403 M_THREEPID_DENIED");
    }

    @Test
    void allAddressesOfATenantHaveALimitTogether() {
        try (var few =
                AuthServer.shared().another(Channels.settings("--rookery.auth.threepid.mails-of-tenant-max=0"))) {
            assertThat(few.call(ALPHA, "POST", REGISTER, body(newEmail())).refusal())
                    .isEqualTo("429 M_LIMIT_EXCEEDED");
        }
    }

    @Test
    void whetherAnAddressIsKnownCanBeHidden() {
        String known = newEmail();
        String unknown = newEmail();
        var session = SERVER.register(ALPHA, AuthServer.name(), "correct horse");
        String sid = validated(ALPHA, known, "secret");
        assertThat(SERVER.call(
                                ALPHA,
                                session.text("access_token"),
                                "POST",
                                "/_api/client/v3/account/3pid",
                                "{\"sid\":\"%s\",\"client_secret\":\"secret\"}".formatted(sid))
                        .status())
                .isEqualTo(200);
        try (var hiding = AuthServer.shared()
                .another(Channels.settings("--rookery.auth.threepid.policy.hide-known-addresses=true"))) {
            for (String address : List.of(known, unknown)) {
                for (String path : List.of(REGISTER, PASSWORD)) {
                    var answer = hiding.call(ALPHA, "POST", path, body(address));
                    assertThat(answer.status()).as(path).isEqualTo(200);
                    assertThat(answer.json().propertyNames()).containsExactly("sid");
                }
            }
        }
        assertThat(mailsTo(known))
                .last()
                .satisfies(mail -> assertThat(textOf(mail)).contains("submitToken"));
        assertThat(mailsTo(known))
                .anySatisfy(mail -> assertThat(textOf(mail)).contains("an account there has this address already"));
        assertThat(mailsTo(unknown))
                .first()
                .satisfies(mail -> assertThat(textOf(mail)).contains("submitToken"));
        assertThat(mailsTo(unknown))
                .last()
                .satisfies(mail -> assertThat(textOf(mail))
                        .contains("no account there has this address")
                        .doesNotContain("submitToken"));
    }

    private static String body(String email) {
        return "{\"client_secret\":\"sending\",\"email\":\"%s\",\"send_attempt\":1}".formatted(email);
    }

    private static String textOf(MimeMessage mail) {
        try {
            return Channels.text(mail, "text/plain");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
