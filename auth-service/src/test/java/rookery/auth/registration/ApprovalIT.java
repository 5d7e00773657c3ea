// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import tools.jackson.databind.JsonNode;

/** Registrations that an administrator must approve; those of the other tenant are open. */
class ApprovalIT {
    private static final String REGISTER = "/_api/client/v3/register";
    private static final String AWAITING = "403 ORG.MATRIX.MSC3866_USER_AWAITING_APPROVAL";
    private static final AuthServer SERVER = AuthServer.with(
            "--rookery.auth.registration.mode=approval", "--rookery.tenants[1].settings.registration=open");

    private final String name = AuthServer.name();
    private final String user = ALPHA.user(name);

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void aRegistrationMakesAnAccountWithoutASession() {
        var refused = SERVER.register(ALPHA, name, "correct horse");

        assertThat(refused.refusal()).isEqualTo(AWAITING);
        assertThat(refused.json().propertyNames())
                .containsExactlyInAnyOrder("errcode", "error", "approval_notice_medium");
        assertThat(refused.text("approval_notice_medium")).isEqualTo("none");
        assertThat(rows("device")).isZero();
        assertThat(rows("access_token")).isZero();
        assertThat(row().path("approved").booleanValue()).isFalse();
        assertThat(row().path("display_name").stringValue()).isEqualTo(name);
        assertThat(SERVER.register(ALPHA, name, "correct horse").refusal()).isEqualTo("400 M_USER_IN_USE");
        assertThat(SERVER.call(ALPHA, "GET", REGISTER + "/available?username=" + name, null)
                        .refusal())
                .isEqualTo("400 M_USER_IN_USE");
        assertThat(SERVER.register(BETA, name, "correct horse").status()).isEqualTo(200);
    }

    @Test
    void noLoginMakesASessionBeforeTheApproval() {
        SERVER.register(ALPHA, name, "correct horse");

        var refused = SERVER.login(ALPHA, name);
        assertThat(refused.refusal()).isEqualTo(AWAITING);
        assertThat(refused.text("approval_notice_medium")).isEqualTo("none");
        assertThat(SERVER.call(ALPHA, "POST", "/_api/client/v3/login", """
                        {"type":"m.login.password","user":"%s","password":"wrong"}""".formatted(name))
                        .refusal())
                .isEqualTo("403 M_FORBIDDEN");
        assertThat(SERVER.internal("POST", "/internal/login", """
                        {"tenant":1,"server":"alpha.example","ip":"192.0.2.7","request_id":"r","user":"%s",
                         "password":"correct horse","device_name":"Console"}""".formatted(name))
                        .refusal())
                .isEqualTo(AWAITING);
        var token = "of-" + name;
        SERVER.database()
                .execute(
                        "INSERT INTO auth.login_token (tenant, token_hash, user_id, expires_at) VALUES (1, '\\x%s', '%s', now() + '1 h')"
                                .formatted(AuthServer.sha256(token), user));
        assertThat(SERVER.call(ALPHA, "POST", "/_api/client/v3/login", """
                        {"type":"m.login.token","token":"%s"}""".formatted(token))
                        .refusal())
                .isEqualTo(AWAITING);
        assertThat(rows("device")).isZero();
    }

    @Test
    void othersDoNotSeeTheUserBeforeTheApproval() {
        SERVER.register(ALPHA, name, "correct horse");
        assertThat(SERVER.internal("POST", "/internal/admin/profile", """
                        {"tenant":1,"user":"%s","key":"displayname","value":"Ada"}""".formatted(user))
                        .status())
                .isEqualTo(200);

        assertThat(SERVER.call(ALPHA, "GET", "/_api/client/v3/profile/" + user, null)
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
        assertThat(profile()).isEmpty();
        assertThat(profileEntries("")).isZero();

        assertThat(act("approve", 1).raw().body()).isEqualTo("{}");
        assertThat(SERVER.call(ALPHA, "GET", "/_api/client/v3/profile/" + user, null)
                        .text("displayname"))
                .isEqualTo("Ada");
        assertThat(profile()).hasSize(1);
        assertThat(profileEntries("Ada")).isEqualTo(1);
    }

    @Test
    void anApprovalCountsOnceAndInItsTenant() {
        SERVER.register(ALPHA, name, "correct horse");
        assertThat(act("approve", 2).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(SERVER.login(ALPHA, name).refusal()).isEqualTo(AWAITING);

        for (int i = 0; i < 2; i++) {
            assertThat(act("approve", 1).raw().body()).isEqualTo("{}");
            assertThat(SERVER.login(ALPHA, name).status()).isEqualTo(200);
        }

        assertThat(profileEntries("")).as("the directory gets the user once").isEqualTo(1);
        assertThat(row().path("approved").booleanValue()).isTrue();
        assertThat(list(false)).doesNotContain(user);
        assertThat(list(true)).contains(user);
    }

    @Test
    void twoRegistrationsAtOnceMakeOneAccount() throws Exception {
        var answers = new ArrayList<Answer>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 2)
                    .mapToObj(_ -> threads.submit(() -> SERVER.register(ALPHA, name, "correct horse")))
                    .toList();
            for (var one : running) {
                answers.add(one.get());
            }
        }

        assertThat(answers).extracting(Answer::refusal).containsExactlyInAnyOrder(AWAITING, "400 M_USER_IN_USE");
        assertThat(rows("account")).isEqualTo(1);
        assertThat(list(false)).contains(user);
    }

    @Test
    void approvalsAtOnceAppendOneEntry() throws Exception {
        SERVER.register(ALPHA, name, "correct horse");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 5)
                    .mapToObj(_ -> threads.submit(() -> act("approve", 1)))
                    .toList();
            for (var one : running) {
                assertThat(one.get().status()).isEqualTo(200);
            }
        }

        assertThat(profileEntries("")).isEqualTo(1);
    }

    @Test
    void aBlockStaysBesideTheApproval() {
        SERVER.register(ALPHA, name, "correct horse");
        assertThat(act("block", 1).status()).isEqualTo(200);
        assertThat(SERVER.login(ALPHA, name).refusal()).isEqualTo("401 M_USER_LOCKED");

        act("approve", 1);
        assertThat(SERVER.login(ALPHA, name).refusal()).isEqualTo("401 M_USER_LOCKED");
        act("unblock", 1);
        assertThat(SERVER.login(ALPHA, name).status()).isEqualTo(200);
    }

    @Test
    void deactivationRefusesTheRegistration() {
        SERVER.register(ALPHA, name, "correct horse");

        assertThat(act("deactivate", 1).status()).isEqualTo(200);

        assertThat(SERVER.login(ALPHA, name).refusal()).isEqualTo("403 M_USER_DEACTIVATED");
        assertThat(act("approve", 1).refusal()).isEqualTo("404 M_NOT_FOUND");
        assertThat(profileEntries("")).isZero();
        assertThat(SERVER.internal(
                                "POST", "/internal/admin/approve", "{\"tenant\":1,\"user\":\"@nobody:alpha.example\"}")
                        .refusal())
                .isEqualTo("404 M_NOT_FOUND");
    }

    @Test
    void accountsOfAdministratorsNeedNoApproval() {
        SERVER.internal("POST", "/internal/admin/create", """
                {"tenant":1,"user":"%s","password":"correct horse","admin":false}""".formatted(user));
        assertThat(SERVER.login(ALPHA, name).status()).isEqualTo(200);

        assertThat(registered(token(true)).status()).isEqualTo(200);
        assertThat(registered(token(false)).refusal()).isEqualTo(AWAITING);
    }

    @Test
    void aRepeatedRegistrationIsAnsweredByTheStateOfTheAccount() {
        var challenge = SERVER.call(
                ALPHA, "POST", REGISTER, "{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name));
        var step = "{\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"%s\"}}".formatted(challenge.text("session"));

        for (int i = 0; i < 2; i++) {
            assertThat(SERVER.call(ALPHA, "POST", REGISTER, step).refusal()).isEqualTo(AWAITING);
        }
        act("approve", 1);
        var session = SERVER.call(ALPHA, "POST", REGISTER, step);

        assertThat(session.text("user_id")).isEqualTo(user);
        assertThat(SERVER.state(ALPHA, session.text("access_token"))).isEqualTo("known");
    }

    private static Answer registered(String token) {
        return SERVER.call(ALPHA, "POST", REGISTER, """
                {"username":"%s","password":"correct horse","auth":{"type":"m.login.registration_token","token":"%s"}}
                """.formatted(AuthServer.name(), token));
    }

    private static String token(boolean admin) {
        return SERVER.internal("POST", "/internal/admin/registration-token", """
                {"tenant":1,"uses":1,"grants_admin":%s,"life_seconds":60}""".formatted(admin))
                .text("token");
    }

    private Answer act(String action, int tenant) {
        return SERVER.internal("POST", "/internal/admin/" + action, """
                {"tenant":%d,"user":"%s","by":"@boss:alpha.example"}""".formatted(tenant, user));
    }

    private JsonNode row() {
        return SERVER.internal("POST", "/internal/admin/user", "{\"tenant\":1,\"user\":\"%s\"}".formatted(user))
                .json();
    }

    private static List<String> list(boolean approved) {
        return SERVER
                .lines(
                        "/internal/admin/users",
                        "{\"asked\":{\"tenant\":1,\"approved\":%s},\"after\":\"\"}".formatted(approved))
                .stream()
                .map(line -> line.path("user_id").asString(""))
                .toList();
    }

    /** The profile as room-service reads it; without the user for unknown users. */
    private JsonNode profile() {
        return SERVER.internal("POST", "/internal/profiles", "{\"tenant\":1,\"users\":[\"%s\"]}".formatted(user))
                .json()
                .path("profiles");
    }

    private int rows(String table) {
        return SERVER.count("SELECT count(*) FROM auth.%s WHERE tenant = 1 AND user_id = '%s'".formatted(table, user));
    }

    /** The number of entries of the user log, from which the directory learns of users, whose text has this part. */
    private int profileEntries(String part) {
        return SERVER.count(
                "SELECT count(*) FROM auth.log_entry WHERE tenant = 1 AND kind = 'profile' AND subject = '%s' AND body LIKE '%%%s%%'"
                        .formatted(user, part));
    }
}
