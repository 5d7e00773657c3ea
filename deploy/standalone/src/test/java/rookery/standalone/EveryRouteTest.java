// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import rookery.admin.openapi.ApiDocument;
import rookery.gateway.routing.Destination;
import rookery.gateway.routing.PathTable;
import rookery.platform.http.Access.Level;
import rookery.standalone.CodeRoutes.Route;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The OpenAPI document describes every route of the code, and no other one (contract.md 20). */
class EveryRouteTest {
    private static final int ROUTES_MIN = 200;
    private static final int OPERATORS_MIN = 30;
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final JsonNode DOCUMENT = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .readTree(ApiDocument.yaml());

    private static CodeRoutes code;

    /** An operation of the document; {@code item} is what all methods of the path share. */
    private record Operation(String method, String path, JsonNode described, JsonNode item) {
        String filled() {
            return VARIABLE.matcher(path).replaceAll("x");
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    @BeforeAll
    static void readTheCode() throws ReflectiveOperationException {
        code = new CodeRoutes();
        assertThat(code.all()).hasSizeGreaterThan(ROUTES_MIN);
        assertThat(code.all())
                .filteredOn(route -> route.service().equals(CodeRoutes.OPERATORS))
                .hasSizeGreaterThan(OPERATORS_MIN);
    }

    @Test
    void everyDescribedRouteExists() {
        assertThat(operations())
                .filteredOn(operation -> route(operation) == null)
                .as("routes of the document that neither the gateway nor the port of operators has")
                .isEmpty();
    }

    @Test
    void everyRouteIsDescribed() {
        var described = new HashSet<Route>();
        for (var operation : operations()) {
            var route = route(operation);
            if (route != null) {
                described.add(route);
            }
        }
        assertThat(code.all())
                .filteredOn(route -> !described.contains(route))
                .as("routes that admin-service/src/main/resources/openapi does not describe")
                .isEmpty();
    }

    @Test
    void theAccessIsThatOfTheCode() {
        assertThat(operations())
                .filteredOn(operation -> !security(operation).equals(expectedSecurity(operation)))
                .as("operations whose security is not that of @Access")
                .isEmpty();
    }

    @Test
    void everyVariableOfAPathIsAParameter() {
        assertThat(operations())
                .filteredOn(operation -> !variables(operation.path).equals(parameters(operation)))
                .as("operations with other parameters than the path has")
                .isEmpty();
    }

    @Test
    void everyReferenceLeadsToSomething() {
        var wrong = new TreeSet<String>();
        for (var reference : DOCUMENT.findValues("$ref")) {
            var pointer = reference.stringValue().substring(1);
            if (DOCUMENT.at(pointer).isMissingNode()) {
                wrong.add(pointer);
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void operationIdsAreUnique() {
        assertThat(operations())
                .extracting(operation -> operation.described.path("operationId").stringValue())
                .doesNotHaveDuplicates();
    }

    private static List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        for (var item : DOCUMENT.path("paths").properties()) {
            for (var member : item.getValue().properties()) {
                if (METHODS.contains(member.getKey())) {
                    operations.add(new Operation(
                            member.getKey().toUpperCase(Locale.ROOT),
                            item.getKey(),
                            member.getValue(),
                            item.getValue()));
                }
            }
        }
        return operations;
    }

    /** The route to which the gateway leads a request of the operation, if there is one. */
    private static @Nullable Route route(Operation operation) {
        if (operation.path.startsWith("/operator/")) {
            return code.find(CodeRoutes.OPERATORS, operation.method, operation.filled());
        }
        return switch (PathTable.find(operation.filled())) {
            case Destination.Own own -> code.find(Service.GATEWAY.title(), operation.method, own.path());
            case Destination.Service service -> code.find(service.service(), operation.method, service.path());
            case Destination.Nowhere _ -> null;
        };
    }

    private static String security(Operation operation) {
        return operation.described.path("security").toString();
    }

    private static String expectedSecurity(Operation operation) {
        var route = route(operation);
        if (route == null) {
            return "";
        }
        if (route.service().equals(CodeRoutes.OPERATORS)) {
            return "[{\"operatorToken\":[]}]";
        }
        var level = route.access();
        if (level == null || level == Level.NONE) {
            return "[]";
        }
        return level == Level.OPTIONAL ? "[{},{\"accessToken\":[]}]" : ""; // otherwise that of the whole document
    }

    private static Set<String> variables(String path) {
        var names = new TreeSet<String>();
        VARIABLE.matcher(path).results().forEach(variable -> names.add(variable.group(1)));
        return names;
    }

    private static Set<String> parameters(Operation operation) {
        var names = new TreeSet<String>();
        for (var list : List.of(operation.item.path("parameters"), operation.described.path("parameters"))) {
            for (var parameter : list) {
                var whole = parameter.has("$ref")
                        ? DOCUMENT.at(parameter.path("$ref").stringValue().substring(1))
                        : parameter;
                if (whole.path("in").stringValue().equals("path")) {
                    names.add(whole.path("name").stringValue());
                }
            }
        }
        return names;
    }
}
