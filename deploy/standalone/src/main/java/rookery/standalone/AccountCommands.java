// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What {@code deploy/admin} does with accounts of a tenant (contract.md 20). */
final class AccountCommands {
    private static final String ADMINISTRATORS = "/administrators";

    private final OperatorClient client;
    private final String tenant;

    /** @param tenant the tenant's server name; null for the first tenant */
    AccountCommands(OperatorClient client, @Nullable String tenant) {
        this.client = client;
        this.tenant = client.tenant(tenant);
    }

    void createAdministrator(String name) {
        var body = new LinkedHashMap<String, Object>();
        body.put("localpart", name);
        putPassword(body, "password", name);
        var made = client.ask("POST", tenant + ADMINISTRATORS, body);
        System.out.println("%s is an administrator now".formatted(user(made)));
        printGenerated(made);
    }

    void appoint(String name, boolean admin) {
        var path = tenant + ADMINISTRATORS + "/" + OperatorClient.part(name);
        var changed = client.ask(admin ? "PUT" : "DELETE", path, null);
        System.out.println(
                "%s is %s".formatted(user(changed), admin ? "an administrator now" : "no administrator any more"));
    }

    void resetPassword(String name, boolean keepsDevices) {
        var body = new LinkedHashMap<String, Object>();
        body.put("logout_devices", !keepsDevices);
        putPassword(body, "new_password", name);
        var changed = client.ask("POST", tenant + "/users/" + OperatorClient.part(name) + "/password", body);
        System.out.println("%s has another password now%s"
                .formatted(user(changed), keepsDevices ? "" : ", and is logged out everywhere"));
        printGenerated(changed);
    }

    private static String user(JsonNode answer) {
        return answer.path("user_id").asString();
    }

    private static void printGenerated(JsonNode answer) {
        if (answer.has("password")) {
            System.out.println(
                    "its password is %s".formatted(answer.path("password").asString()));
        }
    }

    private static void putPassword(Map<String, Object> body, String field, String name) {
        var typed = password(name);
        if (!typed.isEmpty()) {
            body.put(field, typed);
        }
    }

    /** Reads the password from the terminal without echo, or a line of standard input; empty without input. */
    private static String password(String name) {
        var console = Optional.ofNullable(System.console()).filter(Console::isTerminal);
        if (console.isPresent()) {
            char @Nullable [] typed = console.get().readPassword("password of %s (empty: one is made): ", name);
            return typed == null ? "" : new String(typed);
        }
        try {
            var line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
