// SPDX-License-Identifier: Apache-2.0
package rookery.admin.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Properties;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The OpenAPI document and a page to browse it, for everybody who reaches the port of operators: both are public knowledge
 * (contract.md 20). The page loads nothing from other hosts and sends no requests to the API.
 */
@Component
public final class ApiPages {
    private static final String DOCUMENT = "/openapi.yaml";
    private static final String PAGE = "/docs";
    private static final MediaType YAML = MediaType.parseMediaType("application/yaml");
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The files of Swagger UI that the page loads. */
    private static final Map<String, MediaType> OF_SWAGGER_UI = Map.of(
            "swagger-ui.css", MediaType.valueOf("text/css"),
            "swagger-ui-bundle.js", MediaType.valueOf("text/javascript"),
            "favicon-32x32.png", MediaType.IMAGE_PNG);

    private static final Map<String, MediaType> OWN =
            Map.of("index.html", MediaType.TEXT_HTML, "start.js", MediaType.valueOf("text/javascript"));

    /** Whether a request is for the document or the page, and therefore needs no credentials. */
    public static boolean serves(ServerHttpRequest request) {
        var path = request.getURI().getRawPath();
        return path.equals(DOCUMENT) || path.equals(PAGE) || path.startsWith(PAGE + "/");
    }

    public RouterFunction<ServerResponse> routes() {
        var swaggerUi = swaggerUi();
        return RouterFunctions.route()
                .GET(DOCUMENT, _ -> answer(YAML).bodyValue(ApiDocument.yaml()))
                .GET(
                        PAGE,
                        _ -> ServerResponse.temporaryRedirect(URI.create(PAGE + "/"))
                                .build())
                .GET(PAGE + "/", _ -> file("/openapi/docs/index.html", MediaType.TEXT_HTML))
                .GET(PAGE + "/{name}", request -> file(request, swaggerUi))
                .build();
    }

    private static Mono<ServerResponse> file(ServerRequest request, String swaggerUi) {
        var name = request.pathVariable("name");
        var own = OWN.get(name);
        if (own != null) {
            return file("/openapi/docs/" + name, own);
        }
        var type = OF_SWAGGER_UI.get(name);
        return type == null
                ? Mono.error(new ApiException(ErrorCode.M_UNRECOGNIZED, "no such file"))
                : file(swaggerUi + name, type);
    }

    private static Mono<ServerResponse> file(String place, MediaType type) {
        Resource file = new ClassPathResource(place);
        return answer(type).bodyValue(file);
    }

    private static ServerResponse.BodyBuilder answer(MediaType type) {
        return ServerResponse.ok()
                .contentType(type)
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header(HttpHeaders.CACHE_CONTROL, "no-cache");
    }

    /** The folder of the files in their jar, which has the version in its name. */
    private static String swaggerUi() {
        var properties = new Properties();
        try (var in = new ClassPathResource("/META-INF/maven/org.webjars/swagger-ui/pom.properties").getInputStream()) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "/META-INF/resources/webjars/swagger-ui/" + properties.getProperty("version") + "/";
    }
}
