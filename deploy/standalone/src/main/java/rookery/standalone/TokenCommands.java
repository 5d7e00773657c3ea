// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The commands {@code deploy/admin tokens ...} about registration tokens of a tenant (contract.md 20). */
@Command(name = "tokens")
final class TokenCommands {
    private static final String TOKENS = "/registration-tokens";

    private final OperatorApplication application;

    TokenCommands(OperatorApplication application) {
        this.application = application;
    }

    @Command(name = "list")
    void list() {
        var client = application.client();
        client.ask("GET", client.tenant(application.tenant()) + TOKENS, null)
                .path("registration_tokens")
                .forEach(token -> System.out.println(line(token)));
    }

    private static String line(JsonNode token) {
        var uses = token.path("uses_left");
        var expires = token.path("expires_at");
        return "%s  uses left: %s  pending: %d  expires: %s%s"
                .formatted(
                        token.path("id").asString(),
                        uses.isNumber() ? uses.asString() : "any number",
                        token.path("pending").asInt(),
                        expires.isNumber() ? Instant.ofEpochMilli(expires.asLong()) : "never",
                        token.path("grants_admin").asBoolean() ? "  makes an administrator" : "");
    }

    @Command(name = "revoke")
    void revoke(@Parameters(paramLabel = "an id of tokens list") String id) {
        var client = application.client();
        client.ask("DELETE", client.tenant(application.tenant()) + TOKENS + "/" + OperatorClient.part(id), null);
        System.out.println("the registration token %s is revoked".formatted(id));
    }
}
