// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uploads and downloads as users of a {@link RoomServer}, and reads the server's media folder. */
final class MediaClient {
    static final String UPLOAD = "/_api/media/v3/upload";

    private final HttpClient http = HttpClient.newHttpClient();
    private final RoomServer server;

    MediaClient(RoomServer server) {
        this.server = server;
    }

    HttpResponse<byte[]> upload(String user, BodyPublisher body, String query, String... headers) {
        return send(user, "POST", UPLOAD + query, body, headers);
    }

    /** The media id of an uploaded file, from its {@code mxc} URI. */
    String uploaded(String user, byte[] bytes, String query, String... headers) {
        return id(upload(user, BodyPublishers.ofByteArray(bytes), query, headers));
    }

    static String id(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).as("%s", text(answer)).isEqualTo(200);
        String uri = json(answer).path("content_uri").stringValue();
        assertThat(uri).startsWith("mxc://");
        return uri.substring("mxc://".length());
    }

    HttpResponse<byte[]> download(String user, String file, String... headers) {
        return get(user, "/_api/client/v1/media/download/" + file, headers);
    }

    HttpResponse<byte[]> get(String user, String path, String... headers) {
        return send(user, "GET", path, BodyPublishers.noBody(), headers);
    }

    HttpResponse<byte[]> send(String user, String method, String path, BodyPublisher body, String... headers) {
        var request = server.as(user).request(method, path).method(method, body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The names of all files in the media folder. */
    List<String> files() {
        while (true) {
            try (var all = Files.walk(server.media)) {
                return all.filter(Files::isRegularFile)
                        .map(Path::getFileName)
                        .map(Path::toString)
                        .toList();
            } catch (UncheckedIOException _) {
                // a file was deleted meanwhile: list again
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void expect(HttpResponse<byte[]> answer, int status, String errcode) {
        assertThat(answer.statusCode() + " " + json(answer).path("errcode").asString(""))
                .isEqualTo(status + " " + errcode);
    }

    static String header(HttpResponse<byte[]> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    static JsonNode json(HttpResponse<byte[]> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
