// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import rookery.program.Complaint;

/** Long bodies of the operators' API: exports and files (contract.md 21). */
final class OperatorFiles implements AutoCloseable {
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final HttpClient http = HttpClient.newHttpClient();
    private final OperatorClient operator;

    OperatorFiles(OperatorClient operator) {
        this.operator = operator;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(operator.base() + "/operator/v1" + path))
                .header("Authorization", "Bearer " + operator.token());
    }

    /** The body of a GET; null for 404. */
    @Nullable
    InputStream read(String path) {
        try {
            var answer = http.send(request(path).build(), BodyHandlers.ofInputStream());
            if (answer.statusCode() == NOT_FOUND) {
                answer.body().close();
                return null;
            }
            if (answer.statusCode() != OK) {
                throw Complaint.failure(
                        OperatorClient.reason(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8)));
            }
            return answer.body();
        } catch (IOException e) {
            throw away(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Sends a file as the body of a PUT. */
    void put(String path, Path file) {
        try {
            send(request(path).PUT(BodyPublishers.ofFile(file)));
        } catch (FileNotFoundException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void send(HttpRequest.Builder request) {
        try {
            var answer = http.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() != OK) {
                throw Complaint.failure(OperatorClient.reason(answer.body()));
            }
        } catch (IOException e) {
            throw away(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Creates a tenant, once for the key. */
    void create(Object body, String idempotencyKey) {
        send(request("/tenants")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(TenantFolder.JSON.writeValueAsString(body))));
    }

    private static Complaint away(IOException failure) {
        return Complaint.failure("admin-service does not answer (%s): repeat the command, which goes on where it was"
                .formatted(failure));
    }

    private static Complaint interrupted() {
        Thread.currentThread().interrupt();
        return Complaint.failure("interrupted: repeat the command, which goes on where it was");
    }

    @Override
    public void close() {
        http.close();
    }
}
