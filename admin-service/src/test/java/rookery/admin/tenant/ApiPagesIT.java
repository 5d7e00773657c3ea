// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import rookery.admin.RunningAdmin;

/** The description of the API on the port of operators needs no credentials, and opens nothing else (contract.md 20). */
class ApiPagesIT {
    private static final RunningAdmin ADMIN =
            new RunningAdmin(OperatorCalls.settings().toArray(String[]::new));
    private static final Pattern LOADED = Pattern.compile("(?:src|href)=\"([^\"]+)\"");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        var port = ADMIN.bean(OperatorServer.class).port();
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.noBody())
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    @Test
    void theDocumentIsOpenToAll() throws Exception {
        var document = ask("GET", "/openapi.yaml");
        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.body())
                .contains("\nopenapi: '3.1.0'\n", "\n  /_api/client/v3/sync:\n", "\n  /operator/v1/tenants:\n");
        assertThat(document.body().lines()).filteredOn("paths:"::equals).hasSize(1);
    }

    @Test
    void thePageLoadsEverythingFromItsOwnPlace() throws Exception {
        assertThat(ask("GET", "/docs").headers().firstValue("Location")).contains("/docs/");
        var page = ask("GET", "/docs/");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .doesNotContain("unsafe", "http");
        var names =
                LOADED.matcher(page.body()).results().map(name -> name.group(1)).toList();
        assertThat(names).hasSize(4);
        for (var name : names) {
            assertThat(ask("GET", "/docs/" + name).statusCode()).as(name).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/docs/none.js",
                "/docs/..%2fopenapi.yaml",
                "/docs/%2e%2e/operator/v1/tenants",
                "/docs/../operator/v1/tenants"
            })
    void otherFilesAreNotServed(String path) throws Exception {
        assertThat(ask("GET", path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/operator/v1/tenants", "/", "/openapi.yaml/", "/docs.html", "/operator/v1/tenants?/docs/"})
    void everythingElseNeedsCredentials(String path) throws Exception {
        assertThat(ask("GET", path).statusCode()).isEqualTo(401);
    }

    @Test
    void nothingIsChangedThere() throws Exception {
        assertThat(ask("POST", "/openapi.yaml").statusCode()).isEqualTo(404);
    }
}
