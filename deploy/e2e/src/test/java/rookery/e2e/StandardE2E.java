// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** Each operation that the standard publishes is known or not as {@code operations.txt} says (contract.md 18). */
@OnOneJvm
class StandardE2E {
    private static final Pattern PARAMETER = Pattern.compile("\\{(\\w+)}");
    private static final Pattern UNRECOGNIZED = Pattern.compile("\"errcode\"\\s*:\\s*\"M_UNRECOGNIZED\"");

    private final Rookery rookery;

    StandardE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void eachOperationIsKnownAsTheListSays() throws Exception {
        List<String> wrong = new ArrayList<>();
        var ada = People.newcomer(rookery.http(), "ada");
        try (var media = new MediaClient(rookery)) {
            for (var operation : operations()) {
                var who = operation.path.contains("/logout") ? People.newcomer(rookery.http(), "gone") : ada;
                if (isKnown(media, who, operation) != operation.built) {
                    wrong.add(operation.toString());
                }
            }
        }
        assertThat(wrong).as("operations that are not as the list says").isEmpty();
    }

    private static boolean isKnown(MediaClient media, Session who, Operation operation) throws Exception {
        var body = operation.method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString("{}");
        var request = media.request(who, filled(operation.path, who.userId())).method(operation.method, body);
        var answer = media.client.send(request.build(), BodyHandlers.ofString());
        return !UNRECOGNIZED.matcher(answer.body()).find();
    }

    private static String filled(String path, String user) {
        return PARAMETER.matcher(path).replaceAll(parameter -> value(parameter.group(1), user));
    }

    private static String value(String parameter, String user) {
        String value = switch (parameter) {
            case "userId" -> user;
            case "roomId", "roomIdOrAlias" -> "!none:localhost";
            case "roomAlias" -> "#none:localhost";
            case "eventId" -> "$none";
            case "kind" -> "override";
            case "receiptType" -> "m.read";
            case "serverName" -> "localhost";
            default -> "none";
        };
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static List<Operation> operations() throws IOException {
        try (var list = Objects.requireNonNull(StandardE2E.class.getResourceAsStream("operations.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Operation::of)
                    .toList();
        }
    }

    private record Operation(String method, String path, boolean built) {
        static Operation of(String line) {
            String[] parts = line.split(" ", 4);
            return new Operation(parts[0], parts[1], parts[3].equals("built"));
        }
    }
}
