// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static rookery.selfcheck.UnmetException.expect;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import rookery.e2e.api.Answer;
import rookery.e2e.api.UnexpectedAnswerException;

/** Checks of auth-service. */
record AccountChecks(Visit visit) {
    private static final String KEY = "signed_curve25519:AAAAAQ";

    /** Returns the response if its status is among the expected ones. */
    static Answer expectStatus(Answer answer, Integer... statuses) throws IOException {
        if (!List.of(statuses).contains(answer.status())) {
            throw new UnmetException(answer.toString());
        }
        return answer;
    }

    String sessions() throws IOException {
        var ada = visit.ada();
        var wish = new HashMap<>(ada.proof());
        wish.put("refresh_token", true);
        var login = visit.http.call("POST", "/v3/login", null, wish).ok();
        var tokens = Map.of(
                "access_token",
                login.path("access_token").asString(""),
                "refresh_token",
                login.path("refresh_token").asString(""));
        var refreshed =
                visit.http.call("POST", "/v3/token/refresh", null, tokens).ok();
        var token = refreshed.path("access_token").asString("");
        visit.http.call("POST", "/v3/logout", token, Map.of()).ok();
        var after = visit.http.call("GET", "/v3/account/whoami", token, null);
        expect(
                after.status() == 401,
                "a token was accepted after its session was ended (%d)".formatted(after.status()));
        expectStatus(visit.http.call("GET", "/v3/login/sso/redirect", null, null), 501);
        expectStatus(ada.ask("POST", "/v1/login/get_token", Map.of()), 400, 401, 403, 404);
        return "login, refresh and logout; ended sessions are refused";
    }

    String encryption() throws IOException {
        var ada = visit.ada();
        var device = ada.session().deviceId();
        ada.catchUp();
        ada.post(
                "/v3/keys/upload",
                Map.of("one_time_keys", Map.of(KEY, Map.of("key", "c2VsZi1jaGVjaw", "signatures", Map.of()))));
        expect(claimed(device).contains(KEY), "a claim did not return the uploaded key");
        expect(claimed(device).isEmpty(), "a one-time key was given twice");
        var message = Map.of(ada.userId(), Map.of(device, Map.of("text", "self-check")));
        visit.grace().put("/v3/sendToDevice/rookery.self-check/1", Map.of("messages", message));
        ada.waitFor(
                "a message to a device",
                sync -> sync.path("to_device")
                        .path("events")
                        .valueStream()
                        .anyMatch(event ->
                                event.path("content").path("text").asString("").equals("self-check")));
        return "one-time keys are given once, messages reach devices";
    }

    /** Claims a one-time key of the device; returns the ids of the claimed keys. */
    private List<String> claimed(String device) throws IOException {
        var user = visit.ada().userId();
        var wish = Map.of("one_time_keys", Map.of(user, Map.of(device, "signed_curve25519")));
        var keys = visit.grace().post("/v3/keys/claim", wish).path("one_time_keys");
        return List.copyOf(keys.path(user).path(device).propertyNames());
    }

    String addresses() throws IOException {
        var ada = visit.ada();
        ada.get("/v3/account/3pid");
        var unknown = Map.of("client_secret", "self-check", "sid", "0");
        expectStatus(ada.ask("POST", "/v3/account/3pid", unknown), 400, 403);
        expectStatus(ada.ask("POST", "/v3/account/3pid/bind", unknown), 400, 403);
        var nobody = Map.of("medium", "email", "address", "nobody@example.invalid");
        expectStatus(ada.ask("POST", "/v3/account/3pid/unbind", nobody), 200, 403);
        // malformed addresses, so that no mail or text message goes out
        var noAddress = Map.of(
                "client_secret",
                "self-check",
                "send_attempt",
                1,
                "email",
                "nobody",
                "country",
                "GB",
                "phone_number",
                "1");
        expectStatus(visit.http.call("POST", "/v3/register/email/requestToken", null, noAddress), 400, 403);
        expectStatus(visit.http.call("POST", "/v3/register/msisdn/requestToken", null, noAddress), 400, 403);
        return "listed, and refused without proof; whether mail arrives only a mailbox can tell";
    }

    /** Deactivates the accounts that the check registered, or logs out the devices of given accounts. */
    String farewell() throws IOException {
        var failures = new IOException("not all could be taken away");
        for (var person : visit.people()) {
            try {
                if (visit.isOfOthers) {
                    logOut(person);
                } else {
                    deactivate(person);
                }
            } catch (IOException | UnexpectedAnswerException e) {
                failures.addSuppressed(e);
            }
        }
        if (failures.getSuppressed().length > 0) {
            throw new UnmetException(String.valueOf(failures.getSuppressed()[0].getMessage()));
        }
        return visit.isOfOthers ? "logged out" : "logout/all ends all sessions; who was registered is deactivated";
    }

    private void logOut(Person person) throws IOException {
        if (visit.hasRoom()) {
            person.ask("POST", Person.room(visit.room(), "/leave"), Map.of());
            person.ask("POST", Person.room(visit.room(), "/forget"), Map.of());
        }
        person.post("/v3/logout", Map.of());
        visit.tookAway(person.userId());
    }

    private void deactivate(Person person) throws IOException {
        var device = person.login();
        person.post("/v3/logout/all", Map.of());
        expect(device.call("GET", "/v3/account/whoami", null).status() == 401, "a session outlives logout/all");
        person.loginAgain();
        var refused = person.ask("POST", "/v3/account/deactivate", Map.of());
        if (!refused.isOk()) {
            var proof = new HashMap<>(person.proof());
            proof.put("session", refused.json().path("session").asString(""));
            person.post("/v3/account/deactivate", Map.of("auth", proof));
        }
        expect(person.ask("GET", "/v3/account/whoami", null).status() == 401, "a deactivated user may go on");
        visit.leaves(person.userId(), "the name of " + person.userId());
    }
}
