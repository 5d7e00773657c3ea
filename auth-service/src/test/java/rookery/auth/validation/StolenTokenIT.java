// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.validation.Channels.SERVER;
import static rookery.auth.validation.Channels.mailsTo;
import static rookery.auth.validation.Channels.newEmail;
import static rookery.auth.validation.Channels.requestEmail;
import static rookery.auth.validation.Channels.validated;

import jakarta.mail.MessagingException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;

/** A stolen token is not enough to take over the account, and the owner is notified of attempts (contract.md 7.4, 19.4). */
class StolenTokenIT {
    private static final String PATH = "/_api/client/v3/account/3pid";
    private static final String SECRET = "secret";

    private Answer session;
    private String own = "";

    @BeforeEach
    void register() {
        session = SERVER.register(ALPHA, AuthServer.name(), "correct horse");
        own = newEmail();
        assertThat(post("", creds(validated(ALPHA, own, SECRET))).status()).isEqualTo(200);
    }

    @Test
    void anAddressThatASessionAddedRecoversNothingUntilThePasswordConfirmedIt() {
        logInLongAgo();
        String thiefs = newEmail();
        String sid = validated(ALPHA, thiefs, SECRET);
        assertThat(post("", creds(sid)).status()).isEqualTo(200);
        assertThat(forgotten(thiefs)).isEqualTo("400 M_THREEPID_NOT_FOUND");
        assertThat(subjects(own)).contains("An address was added to your account");

        var confirmed = SERVER.withPassword(ALPHA, session, "POST", PATH + "/add", creds(sid));
        assertThat(confirmed.status()).isEqualTo(200);
        assertThat(forgotten(thiefs)).isEqualTo("200");
    }

    @Test
    void bindingIsNoOtherWay() {
        logInLongAgo();
        String thiefs = newEmail();
        assertThat(post("/bind", creds(validated(ALPHA, thiefs, SECRET))).status())
                .isEqualTo(200);
        assertThat(forgotten(thiefs)).isEqualTo("400 M_THREEPID_NOT_FOUND");
        assertThat(subjects(own)).contains("An address was added to your account");
    }

    @Test
    void anAddressThatIsAddedWithThePasswordRecoversAtOnce() {
        assertThat(forgotten(own)).as("added right after the login").isEqualTo("200");
        logInLongAgo();
        String further = newEmail();
        String sid = validated(ALPHA, further, SECRET);
        var answer = SERVER.withPassword(ALPHA, session, "POST", PATH + "/add", creds(sid));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(forgotten(further)).isEqualTo("200");
    }

    @Test
    void thePasswordMayBeShownWhereNobodyAsksForIt() {
        logInLongAgo();
        String further = newEmail();
        String sid = validated(ALPHA, further, SECRET);
        String body = AuthServer.authenticated(creds(sid), session, "correct horse", "");
        var begun = post("", body.replace(",\"session\":\"\"", ""));
        assertThat(begun.status()).isEqualTo(200);
        assertThat(forgotten(further)).isEqualTo("200");
    }

    @Test
    void ownersHearOfRemovedAddressesAndChangedPasswords() {
        String further = newEmail();
        assertThat(post("", creds(validated(ALPHA, further, SECRET))).status()).isEqualTo(200);
        assertThat(post("/delete", "{\"medium\":\"email\",\"address\":\"" + further + "\"}")
                        .status())
                .isEqualTo(200);
        assertThat(subjects(own)).contains("An address was removed from your account");
        assertThat(subjects(further)).contains("An address was removed from your account");
        var changed = SERVER.withPassword(
                ALPHA,
                session,
                "POST",
                "/_api/client/v3/account/password",
                "{\"new_password\":\"another horse entirely\"}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(subjects(own)).contains("Your password was changed");
        assertThat(subjects(further)).doesNotContain("Your password was changed");
    }

    private void logInLongAgo() {
        SERVER.database().execute("""
                UPDATE auth.device SET password_at = password_at - interval '16 minutes' WHERE user_id = '%s'
                """.formatted(session.text("user_id")));
    }

    private Answer post(String path, String body) {
        return SERVER.call(ALPHA, session.text("access_token"), "POST", PATH + path, body);
    }

    private static String creds(String sid) {
        return "{\"sid\":\"" + sid + "\",\"client_secret\":\"" + SECRET + "\"}";
    }

    /** The answer to a request to set a new password by the address. */
    private static String forgotten(String email) {
        var answer = requestEmail(ALPHA, "account/password", email, "forgotten", 1);
        return answer.status() == 200 ? "200" : answer.refusal();
    }

    private static List<String> subjects(String email) {
        var subjects = new ArrayList<String>();
        for (var mail : mailsTo(email)) {
            try {
                subjects.add(mail.getSubject());
            } catch (MessagingException e) {
                throw new IllegalStateException(e);
            }
        }
        return subjects;
    }
}
