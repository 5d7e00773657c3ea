// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.json.JsonMapper;

/** Uploads and downloads files, which are not JSON (contract.md 13.4). */
final class MediaClient implements AutoCloseable {
    final HttpClient client = Http.builder().build();
    private final Rookery rookery;

    MediaClient(Rookery rookery) {
        this.rookery = rookery;
    }

    /** Returns the {@code mxc://} address. */
    String upload(Session who, byte[] bytes, String type) throws IOException, InterruptedException {
        var request = request(who, "/_matrix/media/v3/upload?filename=tea.png")
                .POST(BodyPublishers.ofByteArray(bytes))
                .setHeader("Content-Type", type);
        var answer = client.send(request.build(), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body()).path("content_uri").stringValue();
    }

    HttpResponse<byte[]> download(Session who, String uri) throws IOException, InterruptedException {
        return ask(who, path("download", uri));
    }

    /** Such as {@code ?width=320&height=240}. */
    HttpResponse<byte[]> thumbnail(Session who, String uri, String query) throws IOException, InterruptedException {
        return ask(who, path("thumbnail", uri) + query);
    }

    HttpResponse<byte[]> ask(Session who, String path) throws IOException, InterruptedException {
        return client.send(request(who, path).build(), BodyHandlers.ofByteArray());
    }

    /** Of a file with this {@code mxc://} address: {@code download} or {@code thumbnail}. */
    static String path(String kind, String uri) {
        return "/_matrix/client/v1/media/" + kind + "/" + uri.substring("mxc://".length());
    }

    /** With the token of the session, of which method and body are to be set. */
    HttpRequest.Builder request(Session who, String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + rookery.plan().port() + path))
                .setHeader("Host", who.http().site().host())
                .setHeader("Authorization", "Bearer " + who.token());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
