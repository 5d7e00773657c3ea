// SPDX-License-Identifier: Apache-2.0
package rookery.admin.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The OpenAPI document of the clients', administrators' and operators' API. Its files are joined as text: {@code openapi.yaml}, which
 * ends with schemas and names the other files, then their schemas, and then their paths.
 */
public final class ApiDocument {
    private static final String FILES = "\nx-files:\n";
    private static final String PATHS = "\npaths:\n";
    private static final String SCHEMAS = "\ncomponents:\n  schemas:\n";

    private ApiDocument() {}

    /** The document as YAML. */
    public static String yaml() {
        var document = new StringBuilder(text("openapi.yaml"));
        var paths = new StringBuilder("paths:\n");
        for (var name : names(document)) {
            var file = text(name);
            int afterPaths = file.indexOf(PATHS) + PATHS.length();
            int schemas = file.indexOf(SCHEMAS);
            paths.append(file, afterPaths, schemas < 0 ? file.length() : schemas + 1);
            if (schemas >= 0) {
                document.append(file, schemas + SCHEMAS.length(), file.length());
            }
        }
        return document.append(paths).toString();
    }

    private static List<String> names(StringBuilder document) {
        int begin = document.indexOf(FILES) + FILES.length();
        return document.substring(begin, document.indexOf("\ncomponents:\n"))
                .lines()
                .map(line -> line.replaceFirst("^ *- ", ""))
                .toList();
    }

    private static String text(String name) {
        try (var in = Objects.requireNonNull(ApiDocument.class.getResourceAsStream("/openapi/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
