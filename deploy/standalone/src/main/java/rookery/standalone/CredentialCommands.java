// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** The commands {@code deploy/admin operator ...} about further operators (contract.md 20). */
@Command(name = "operator")
final class CredentialCommands {
    private static final String OPERATORS = "/operators";
    private static final String NAME = "the name of an operator, such as backup";

    private final OperatorApplication application;

    CredentialCommands(OperatorApplication application) {
        this.application = application;
    }

    @Command(name = "create")
    void create(@Parameters(paramLabel = NAME) String name, @Option(names = "--read-only") boolean readOnly) {
        var scopes = readOnly ? List.of("read") : List.of("read", "write");
        var made = application.client().ask("POST", OPERATORS, Map.of("name", name, "scopes", scopes));
        System.out.println(made.path("token").asString());
        System.err.println("the token above is that of the operator %s, and is not shown again".formatted(name));
    }

    @Command(name = "list")
    void list() {
        application
                .client()
                .ask("GET", OPERATORS, null)
                .path("operators")
                .forEach(operator -> System.out.println(
                        "%s  (%s)".formatted(operator.path("name").asString(), scopes(operator))));
    }

    private static String scopes(JsonNode operator) {
        return operator.path("scopes").valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
    }

    @Command(name = "revoke")
    void revoke(@Parameters(paramLabel = NAME) String name) {
        application.client().ask("DELETE", OPERATORS + "/" + OperatorClient.part(name), null);
        System.out.println("the operator %s is revoked".formatted(name));
    }
}
