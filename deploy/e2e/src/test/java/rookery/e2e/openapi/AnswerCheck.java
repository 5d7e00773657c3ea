// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.openapi;

import com.networknt.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import rookery.admin.openapi.ApiDocument;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.openapi.DescribedAnswers.AnswerSchema;
import rookery.e2e.openapi.DescribedAnswers.Operation;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Compares the answers that tests get with the OpenAPI document, and fails the run at its end. Of each status of an operation the
 * first {@value #ALL} answers are compared, and then one of {@value #ONE_OF}. {@code target/openapi.txt} says how many that were, how
 * long it took, and which operations no test saw succeed.
 */
public final class AnswerCheck implements AutoCloseable {
    private static final int ALL = 200;
    private static final int ONE_OF = 20;
    private static final int SHOWN = 25;
    private static final int KEPT = 1_000;
    private static final int OK_MAX = 299;
    private static final Pattern FAMILIES =
            Pattern.compile("/(?:_api|_matrix|_synapse|operator|\\.well-known)/.*|/|/v1/login/get_token");
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final YAMLMapper YAML = new YAMLMapper();

    private final DescribedAnswers described;
    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final Set<Disagreement> disagreements = ConcurrentHashMap.newKeySet();
    private final LongAdder compared = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    AnswerCheck() {
        this.described = new DescribedAnswers(YAML.readTree(ApiDocument.yaml()));
    }

    /** A check of all later answers. */
    public static AnswerCheck started() {
        var check = new AnswerCheck();
        Http.observe(check::observe);
        return check;
    }

    /** May be called by many threads at once. */
    void observe(Answer answer, String prefix) {
        int space = answer.request().indexOf(' ');
        var method = answer.request().substring(0, space);
        var path = plain(prefix + answer.request().substring(space + 1));
        if (METHODS.contains(method) && FAMILIES.matcher(path).matches()) {
            compare(method, path, answer);
        }
    }

    List<Disagreement> disagreements() {
        return List.copyOf(disagreements);
    }

    /** Without the query, under the prefix of the document (contract.md D1), and without a slash at the end. */
    private static String plain(String path) {
        int query = path.indexOf('?');
        var whole = (query < 0 ? path : path.substring(0, query))
                .replaceFirst("^/_matrix/(client|media)/", "/_api/$1/")
                .replaceFirst("^(/_api/(?:client|media)/)r0/", "$1v3/");
        return whole.length() > 1 && whole.endsWith("/") ? whole.substring(0, whole.length() - 1) : whole;
    }

    private void compare(String method, String path, Answer answer) {
        int status = answer.status();
        var operation = described.find(method, path);
        if (operation == null) {
            if (status <= OK_MAX) {
                note(new Disagreement(method + " " + path, status, "", "the document does not have this route"));
            }
            return;
        }
        if (isSampled(operation + " " + status)) {
            long begin = System.nanoTime();
            var expected = operation.answer(status);
            if (expected == null) {
                note(new Disagreement(operation.toString(), status, "", "this status is not described"));
            } else {
                compare(operation, expected, answer);
            }
            compared.increment();
            nanos.add(System.nanoTime() - begin);
        }
    }

    private boolean isSampled(String name) {
        int number = seen.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
        return number <= ALL || number % ONE_OF == 0;
    }

    private void compare(Operation operation, AnswerSchema expected, Answer answer) {
        var type = answer.headers()
                .firstValue("Content-Type")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .split(";", 2)[0];
        if (answer.text().isEmpty() && expected.types().isEmpty()) {
            return;
        }
        if (!expected.has(type)) {
            note(new Disagreement(operation.toString(), answer.status(), "", "the content is '" + type + "'"));
        } else if (expected.schema() != null && type.equals("application/json")) {
            validate(operation, expected.schema(), answer);
        }
    }

    private void validate(Operation operation, Schema schema, Answer answer) {
        for (var error : schema.validate(JSON.readTree(answer.text()))) {
            note(new Disagreement(
                    operation.toString(),
                    answer.status(),
                    error.getInstanceLocation().toString(),
                    error.getMessage()));
        }
    }

    private void note(Disagreement disagreement) {
        if (disagreements.size() < KEPT) {
            disagreements.add(disagreement);
        }
    }

    @Override
    public void close() throws IOException {
        var unseen = described.all().stream()
                .filter(operation -> seen.keySet().stream().noneMatch(name -> name.startsWith(operation + " 2")))
                .map(operation -> operation + "\n")
                .sorted()
                .collect(Collectors.joining());
        Files.writeString(
                Files.createDirectories(Path.of("target")).resolve("openapi.txt"),
                "%d answers compared in %d ms\nno test saw these succeed:\n%s"
                        .formatted(compared.sum(), Duration.ofNanos(nanos.sum()).toMillis(), unseen));
        if (!disagreements.isEmpty()) {
            throw new AssertionError(
                    "%d places where answers are not as admin-service/src/main/resources/openapi says:\n%s"
                            .formatted(
                                    disagreements.size(),
                                    disagreements.stream()
                                            .map(Disagreement::toString)
                                            .sorted()
                                            .limit(SHOWN)
                                            .collect(Collectors.joining("\n"))));
        }
    }
}
