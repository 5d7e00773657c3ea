// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.attack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Http;
import rookery.e2e.api.Session;
import rookery.e2e.api.TenantAddress;
import tools.jackson.databind.json.JsonMapper;

/** The attacks. Each returns the number of responses by status; -1 is a connection without a response. */
final class Attacks implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int FILE_BYTES = 5_000_000;
    private static final int SLOW_BYTES = 300;
    private static final Duration SLOW_PAUSE = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int PICTURES_AT_ONCE = 16;

    private final Target target;
    private final int seconds;
    private final HttpClient client =
            Http.builder().executor(Executors.newVirtualThreadPerTaskExecutor()).build();

    Attacks(Target target, int seconds) {
        this.target = target;
        this.seconds = seconds;
    }

    /** Downloads files without reading any byte of the responses. */
    String unreadDownloads(int number) throws IOException {
        var first = target.user(0);
        String file = upload(first, new byte[FILE_BYTES], "application/octet-stream");
        var paths = new ArrayList<String>();
        for (int i = 0; i < number; i++) {
            paths.add(download(file));
        }
        return slowly(paths, 0);
    }

    /** Requests large responses and reads 3 kB of each in a second. */
    String slowReads(int number) throws IOException {
        var paths = new ArrayList<String>();
        String prefix = TenantAddress.NATIVE;
        for (int i = 0; i < number; i++) {
            paths.add(prefix + target.sync(i));
            paths.add(prefix + target.reads().get("state"));
        }
        return slowly(paths, SLOW_BYTES);
    }

    private String slowly(List<String> paths, int bytes) throws IOException {
        var requests = new ArrayList<RawRequest>();
        try {
            for (int i = 0; i < paths.size(); i++) {
                requests.add(new RawRequest(target.user(bytes == 0 ? i : i / 2), paths.get(i)));
            }
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            if (bytes > 0) {
                readUntil(until, requests, bytes);
            }
            LockSupport.parkNanos(Math.max(0, until - System.nanoTime()));
            long read = requests.stream().mapToLong(RawRequest::bytesRead).sum();
            return "%d connections for %d s, %d kB read".formatted(requests.size(), seconds, read / 1000);
        } finally {
            requests.forEach(RawRequest::close);
        }
    }

    private static void readUntil(long until, List<RawRequest> requests, int bytes) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            requests.forEach(request -> threads.execute(() -> {
                while (System.nanoTime() < until && request.read(bytes)) {
                    LockSupport.parkNanos(SLOW_PAUSE.toNanos());
                }
            }));
        }
    }

    /** Requests many large responses concurrently and reads them at full speed. */
    String reads(int number) {
        var statuses = new TreeMap<String, Map<Integer, Integer>>();
        target.reads().forEach((name, path) -> statuses.put(name, all(number, user -> get(user, path))));
        return statuses.toString();
    }

    String searches(int number) {
        byte[] body = JSON.writeValueAsBytes(Target.search());
        return all(
                        number,
                        user -> request(user, TenantAddress.NATIVE + "/v3/search")
                                .POST(BodyPublishers.ofByteArray(body)))
                .toString();
    }

    /** Uploads odd pictures and requests their thumbnails. */
    String pictures(int number) {
        var statuses = new ConcurrentHashMap<Integer, Integer>();
        var free = new Semaphore(PICTURES_AT_ONCE);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            OddPictures.of(1, number).forEach(picture -> {
                free.acquireUninterruptibly();
                threads.execute(() -> {
                    try {
                        statuses.merge(thumbnail(picture), 1, Integer::sum);
                    } finally {
                        free.release();
                    }
                });
            });
        }
        return new TreeMap<>(statuses).toString();
    }

    private int thumbnail(OddPictures.OddPicture picture) {
        try {
            var user = target.user(picture.name().hashCode() & 0xFFFF);
            String file = upload(user, picture.bytes(), picture.contentType());
            var path = "/_matrix/client/v1/media/thumbnail/" + file + "?width=320&height=240&method=scale";
            return client.send(request(user, path).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        }
    }

    /** Builds the request of one user. */
    private interface UserRequest {
        HttpRequest.Builder of(Session user);
    }

    private Map<Integer, Integer> all(int number, UserRequest request) {
        var answers = new ArrayList<CompletableFuture<Integer>>();
        for (int i = 0; i < number; i++) {
            answers.add(client.sendAsync(request.of(target.user(i)).build(), BodyHandlers.discarding())
                    .handle((response, failure) -> status(response)));
        }
        var statuses = new TreeMap<Integer, Integer>();
        answers.forEach(answer -> statuses.merge(answer.join(), 1, Integer::sum));
        return statuses;
    }

    private static int status(@Nullable HttpResponse<?> response) {
        return response == null ? -1 : response.statusCode();
    }

    private String upload(Session user, byte[] bytes, String type) throws IOException {
        var upload = request(user, "/_matrix/media/v3/upload")
                .POST(BodyPublishers.ofByteArray(bytes))
                .setHeader("Content-Type", type);
        try {
            var answer = client.send(upload.build(), BodyHandlers.ofByteArray());
            if (answer.statusCode() != 200) {
                throw new IOException("an upload was answered " + answer.statusCode());
            }
            return JSON.readTree(answer.body()).path("content_uri").asString().substring("mxc://".length());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String download(String file) {
        return "/_matrix/client/v1/media/download/" + file;
    }

    private static HttpRequest.Builder get(Session user, String path) {
        return request(user, TenantAddress.NATIVE + path);
    }

    private static HttpRequest.Builder request(Session user, String path) {
        var site = user.http().site();
        return HttpRequest.newBuilder(URI.create(site.base() + path))
                .timeout(PATIENCE)
                .setHeader("Host", site.host())
                .setHeader("Authorization", "Bearer " + user.token());
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
