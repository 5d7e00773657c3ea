// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import rookery.e2e.api.Session;
import rookery.e2e.running.Instance;
import rookery.e2e.running.Rookery;
import tools.jackson.databind.json.JsonMapper;

/**
 * Many uploads at the same time, through the gateway, to instances of which none has a larger heap than 320 MiB: nothing is held
 * whole in memory (contract.md 13.4). The long form is {@code deploy/e2e/long uploads}.
 */
@BreaksCluster("sees by their process ids that no instance has started again")
class ParallelUploadsE2E {
    private static final int UPLOADS = Integer.getInteger("rookery.uploads", 20);
    private static final int SIZE = Integer.getInteger("rookery.uploads.mib", 5) << 20;
    private static final int PORTION = 1 << 20;

    private final Rookery rookery;

    ParallelUploadsE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    @Test
    void allArriveWholeAndNoProcessRunsOutOfMemory() throws Exception {
        var before = rookery.instances();
        try (var media = new MediaClient(rookery);
                var http = rookery.http()) {
            var ada = People.newcomer(http, "ada");
            var uploads = IntStream.range(0, UPLOADS)
                    .mapToObj(number -> media.client.sendAsync(
                            media.request(ada, "/_matrix/media/v3/upload")
                                    .setHeader("Content-Type", "application/octet-stream")
                                    .POST(BodyPublishers.fromPublisher(
                                            BodyPublishers.ofInputStream(() -> content(number)), SIZE))
                                    .build(),
                            BodyHandlers.ofString()))
                    .toList();
            var answers = uploads.stream().map(CompletableFuture::join).toList();
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer.statusCode() + " " + answer.body())
                            .startsWith("200 "));
            for (int number = 0; number < UPLOADS; number++) {
                assertThat(downloaded(media, ada, answers.get(number)))
                        .as("upload %d", number)
                        .isEqualTo(hash(content(number)));
            }
        }
        assertThat(pids(rookery.instances())).isEqualTo(pids(before));
    }

    private static List<Long> pids(List<Instance> instances) {
        return instances.stream().map(Instance::pid).sorted().toList();
    }

    private static String downloaded(MediaClient media, Session who, HttpResponse<String> uploaded) throws Exception {
        String uri = JsonMapper.shared()
                .readTree(uploaded.body())
                .path("content_uri")
                .stringValue();
        var request = media.request(who, MediaClient.path("download", uri)).build();
        var answer = media.client.send(request, BodyHandlers.ofInputStream());
        try (var body = answer.body()) {
            return hash(body);
        }
    }

    /** Other bytes for each number, made when they are read. */
    private static InputStream content(int number) {
        byte[] portion = new byte[PORTION];
        new Random(number).nextBytes(portion);
        var portions = Collections.nCopies(SIZE / PORTION, portion).stream()
                .map(ByteArrayInputStream::new)
                .toList();
        return new SequenceInputStream(Collections.enumeration(portions));
    }

    private static String hash(InputStream bytes) throws IOException, NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        byte[] portion = new byte[PORTION];
        for (int size = bytes.read(portion); size >= 0; size = bytes.read(portion)) {
            digest.update(portion, 0, size);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
