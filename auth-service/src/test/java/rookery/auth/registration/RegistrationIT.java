// SPDX-License-Identifier: Apache-2.0
package rookery.auth.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.auth.AuthServer.ALPHA;
import static rookery.auth.AuthServer.BETA;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import tools.jackson.databind.json.JsonMapper;

class RegistrationIT {
    private static final String REGISTER = "/_api/client/v3/register";
    private static final String AVAILABLE = REGISTER + "/available?username=";

    private final AuthServer server = AuthServer.shared();

    @Test
    void firstRequestIsAskedForTheDummyStage() {
        var answer = register("{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(AuthServer.name()));

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("flows", "params", "session");
        assertThat(answer.json().path("flows"))
                .isEqualTo(JsonMapper.shared().readTree("[{\"stages\":[\"m.login.dummy\"]}]"));
        assertThat(answer.json().path("params")).isEmpty();
    }

    @Test
    void secondRequestMakesTheAccountAndARepeatAnswersTheSameDevice() {
        String name = AuthServer.name();
        String session = register("{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name))
                .text("session");
        String body = """
                {"username":"%s","password":"correct horse","auth":{"type":"m.login.dummy","session":"%s"}}
                """.formatted(name, session);

        var first = register(body);
        var again = register(body);

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.json().propertyNames())
                .containsExactlyInAnyOrder("user_id", "access_token", "device_id", "home_server");
        assertThat(first.text("user_id")).isEqualTo(ALPHA.user(name));
        assertThat(first.text("home_server")).isEqualTo(ALPHA.server());
        assertThat(first.text("device_id")).matches("[A-Z]{10}");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("user_id")).isEqualTo(first.text("user_id"));
        assertThat(again.text("device_id")).isEqualTo(first.text("device_id"));
        assertThat(again.text("access_token")).isNotEqualTo(first.text("access_token"));
        assertThat(List.of(first, again))
                .allSatisfy(answer -> assertThat(server.resolve(ALPHA, answer.text("access_token"))
                                .path("state")
                                .stringValue())
                        .isEqualTo("known"));
    }

    @Test
    void fieldsOfEarlierRequestsOfTheSessionStillCount() {
        String name = AuthServer.name();
        String session = register("{\"username\":\"%s\",\"password\":\"correct horse\",\"device_id\":\"MINE\"}"
                        .formatted(name.toUpperCase(java.util.Locale.ROOT)))
                .text("session");

        var answer = register("{\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"%s\"}}".formatted(session));

        assertThat(answer.text("user_id")).isEqualTo(ALPHA.user(name));
        assertThat(answer.text("device_id")).isEqualTo("MINE");
    }

    @Test
    void passwordsThatWaitForTheNextStepCannotBeRead() throws SQLException {
        register("{\"username\":\"%s\",\"password\":\"canary-password-1\"}".formatted(AuthServer.name()));

        try (var connection = server.database().connect();
                var rows = connection.createStatement().executeQuery("""
                        SELECT count(*) FROM auth.uia_session
                         WHERE position('canary-password-1'::bytea IN parameters) > 0""")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    @Test
    void sessionThatIsNotKnownIsReplacedByAnother() {
        var answer = register("{\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"nonsense\"}}");

        assertThat(answer.refusal()).isEqualTo("401 M_UNKNOWN");
        assertThat(answer.text("session")).isNotEmpty().isNotEqualTo("nonsense");
    }

    @Test
    void sessionOfAnotherTenantIsNotKnown() {
        String session = register("{}").text("session");

        var answer = server.call(
                BETA,
                "POST",
                REGISTER,
                "{\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"%s\"}}".formatted(session));

        assertThat(answer.refusal()).isEqualTo("401 M_UNKNOWN");
    }

    @Test
    void stageThatIsNotAskedForIsRefused() {
        String session = register("{}").text("session");

        var answer = register("{\"auth\":{\"type\":\"m.login.password\",\"session\":\"%s\"}}".formatted(session));

        assertThat(answer.refusal()).isEqualTo("401 M_UNRECOGNIZED");
        assertThat(answer.text("session")).isEqualTo(session);
    }

    @Test
    void failureOutsideTheStagesLeavesTheSessionUsable() {
        String session = register("{}").text("session");
        String auth = "\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"%s\"}".formatted(session);

        assertThat(register("{" + auth + "}").refusal()).isEqualTo("400 M_MISSING_PARAM");
        assertThat(register("{" + auth + ",\"password\":\"correct horse\"}").status())
                .isEqualTo(200);
    }

    @Test
    void serverMakesANameWhenNoneIsGiven() {
        var answer = register("{\"password\":\"correct horse\",\"auth\":{\"type\":\"m.login.dummy\"}}");

        assertThat(answer.text("user_id")).matches("@[a-z0-9]{12}:alpha\\.example");
    }

    @Test
    void inhibitedLoginMakesNoDevice() {
        String name = AuthServer.name();
        var answer = register("""
                {"username":"%s","password":"correct horse","inhibit_login":true,"auth":{"type":"m.login.dummy"}}
                """.formatted(name));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().propertyNames()).containsExactlyInAnyOrder("user_id", "home_server");
    }

    @Test
    void takenNameIsRefusedBeforeAnyStep() {
        String name = AuthServer.name();
        server.register(ALPHA, name, "correct horse");

        assertThat(register("{\"username\":\"%s\"}".formatted(name)).refusal()).isEqualTo("400 M_USER_IN_USE");
        assertThat(server.register(ALPHA, name, "correct horse").refusal()).isEqualTo("400 M_USER_IN_USE");
        assertThat(server.register(BETA, name, "correct horse").status())
                .as("another tenant has names of its own")
                .isEqualTo(200);
    }

    @Test
    void hundredSimultaneousRegistrationsOfOneNameMakeOneAccount() throws Exception {
        String name = AuthServer.name();

        var answers = atOnce(100, () -> server.register(ALPHA, name, "correct horse"));

        assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 200)
                .extracting(Answer::refusal)
                .as("or told to wait, where hashing takes too long for all of them")
                .isSubsetOf("400 M_USER_IN_USE", "429 M_LIMIT_EXCEEDED")
                .contains("400 M_USER_IN_USE");
    }

    @Test
    void sessionSentManyTimesAtOnceMakesOneAccountAndAnswersAll() throws Exception {
        String name = AuthServer.name();
        String session = register("{\"username\":\"%s\",\"password\":\"correct horse\"}".formatted(name))
                .text("session");
        String body = "{\"auth\":{\"type\":\"m.login.dummy\",\"session\":\"%s\"}}".formatted(session);

        var answers = atOnce(10, () -> register(body));

        assertThat(answers).extracting(Answer::status).containsOnly(200);
        assertThat(answers).extracting(answer -> answer.text("user_id")).containsOnly(ALPHA.user(name));
        assertThat(answers.stream().map(answer -> answer.text("device_id")).distinct())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            user            | {"username":"späth"}                                        | 400 M_INVALID_USERNAME
            user            | {"username":""}                                             | 400 M_INVALID_USERNAME
            user            | {"username":"_bridge"}                                      | 400 M_EXCLUSIVE
            user            | {"username":7}                                              | 400 M_BAD_JSON
            user            | {"password":"short"}                                        | 400 M_WEAK_PASSWORD
            user            | {"username":"longenough","password":"LongEnough"}           | 400 M_WEAK_PASSWORD
            user            | {"password":"\\ud800 correct horse"}                        | 400 M_BAD_JSON
            user            | {"device_id":""}                                            | 400 M_INVALID_PARAM
            user            | {"inhibit_login":"yes","password":"correct horse","auth":{"type":"m.login.dummy"}} | 400 M_BAD_JSON
            user            | {"auth":[]}                                                 | 400 M_BAD_JSON
            user            | {"auth":{"type":"m.login.dummy"}}                           | 400 M_MISSING_PARAM
            user            | {                                                           | 400 M_NOT_JSON
            user            | []                                                          | 400 M_BAD_JSON
            guest           | {}                                                          | 403 M_GUEST_ACCESS_FORBIDDEN
            robot           | {}                                                          | 400 M_INVALID_PARAM
            """)
    void badRegistrationsAreRefused(String kind, String body, String refusal) {
        assertThat(server.call(ALPHA, "POST", REGISTER + "?kind=" + kind, body).refusal())
                .isEqualTo(refusal);
    }

    @Test
    void availabilityAgreesWithRegistration() {
        String name = AuthServer.name();

        var free = server.call(ALPHA, "GET", AVAILABLE + name, null);
        server.register(ALPHA, name, "correct horse");
        var taken = server.call(ALPHA, "GET", AVAILABLE + name, null);

        assertThat(free.raw().body()).isEqualTo("{\"available\":true}");
        assertThat(taken.refusal()).isEqualTo("400 M_USER_IN_USE");
        assertThat(taken.json().path("available").isBoolean()).isTrue();
        assertThat(taken.json().path("available").booleanValue()).isFalse();
        assertThat(server.call(ALPHA, "GET", AVAILABLE + "_x", null).refusal()).isEqualTo("400 M_EXCLUSIVE");
        assertThat(server.call(ALPHA, "GET", AVAILABLE + "%00", null).refusal()).isEqualTo("400 M_INVALID_USERNAME");
        assertThat(server.call(ALPHA, "GET", REGISTER + "/available", null).refusal())
                .isEqualTo("400 M_MISSING_PARAM");
    }

    @Test
    void closedRegistrationIsRefused() {
        try (var closed = server.another("--rookery.auth.registration.mode=closed")) {
            assertThat(closed.register(ALPHA, AuthServer.name(), "correct horse")
                            .refusal())
                    .isEqualTo("403 M_FORBIDDEN");
            assertThat(closed.call(ALPHA, "GET", AVAILABLE + "x", null).refusal())
                    .isEqualTo("403 M_FORBIDDEN");
        }
    }

    private Answer register(String body) {
        return server.call(ALPHA, "POST", REGISTER, body);
    }

    private static List<Answer> atOnce(int times, Callable<Answer> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, times)
                    .mapToObj(_ -> threads.submit(call))
                    .toList();
            var answers = new java.util.ArrayList<Answer>();
            for (var one : running) {
                answers.add(one.get());
            }
            return answers;
        }
    }
}
