// SPDX-License-Identifier: Apache-2.0
package rookery.room.media;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import rookery.model.id.TenantId;
import rookery.room.media.RoomMediaProperties.Bucket;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Objects in a bucket of an S3 server, {@code TENANT/HASH} for each content. An upload is a local file until complete and is then
 * put as an object in one request, so no partial object exists.
 */
final class BucketStorage implements MediaStorage, AutoCloseable {
    private static final Pattern KEY = Pattern.compile("(?<tenant>[0-9]{1,9})/(?<hash>[0-9a-f]{64})");
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** The longest time without a byte from the server. */
    private static final Duration SILENCE = Duration.ofSeconds(15);
    /** Limit of a request with all retries; of a read, until the first bytes arrive. */
    private static final Duration REQUEST = Duration.ofMinutes(2);

    private final String bucket;
    private final String prefix;
    private final Path incoming;
    private final S3Client client;

    /** @param folder folder of unfinished uploads; blank for a new folder among the temporary files */
    BucketStorage(Bucket settings, String folder) throws IOException {
        bucket = settings.name();
        prefix = settings.prefix();
        incoming = folder.isBlank()
                ? Files.createTempDirectory("rookery-media-")
                : FolderStorage.incoming(Path.of(folder));
        OwnerOnly.makeFolder(incoming);
        client = client(settings);
    }

    private static S3Client client(Bucket settings) {
        var builder = S3Client.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(credentials(settings))
                .forcePathStyle(settings.pathStyle())
                // many S3 servers other than Amazon's do not know the checksums that Amazon's client adds by default
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(override -> override.apiCallTimeout(REQUEST))
                .httpClient(UrlConnectionHttpClient.builder()
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SILENCE)
                        .build());
        if (!settings.endpoint().isBlank()) {
            builder.endpointOverride(URI.create(settings.endpoint()));
        }
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(Bucket settings) {
        return settings.accessKey().isBlank()
                ? DefaultCredentialsProvider.builder().build()
                : StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(settings.accessKey(), settings.secretKey()));
    }

    @Override
    public Path incoming() {
        return incoming;
    }

    /** Replaces an object of the same content, which gets a new modification time. */
    @Override
    public void keep(TenantId tenant, ContentHash hash, Path file) throws IOException {
        ask(() -> client.putObject(request -> request.bucket(bucket).key(key(tenant, hash)), file));
    }

    @Override
    public InputStream read(TenantId tenant, ContentHash hash, long from, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream(); // S3 has no empty range
        }
        return new Content(find(tenant, hash, "bytes=" + from + "-" + (from + length - 1)));
    }

    @Override
    public LocalFile local(TenantId tenant, ContentHash hash) throws IOException {
        var copy = new Copy(Files.createTempFile(incoming, "copy-", "", OwnerOnly.FILE));
        try (var content = new Content(find(tenant, hash, null));
                var out = Files.newOutputStream(copy.path())) {
            content.transferTo(out);
            return copy;
        } catch (IOException e) {
            copy.close();
            throw e;
        }
    }

    private ResponseInputStream<GetObjectResponse> find(TenantId tenant, ContentHash hash, @Nullable String range)
            throws IOException {
        try {
            return ask(() -> client.getObject(
                    request -> request.bucket(bucket).key(key(tenant, hash)).range(range)));
        } catch (NoSuchKeyException _) {
            throw MediaStorage.missing(tenant, hash);
        }
    }

    @Override
    public void check() throws IOException {
        ask(() -> client.headBucket(request -> request.bucket(bucket)));
    }

    @Override
    public Stream<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) throws IOException {
        var pages = ask(() ->
                client.listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix)));
        return pages.stream().flatMap(page -> older(page, before));
    }

    private Stream<Map.Entry<TenantId, List<ContentHash>>> older(ListObjectsV2Response page, Instant before) {
        return page.contents().stream()
                .filter(object -> object.lastModified().isBefore(before))
                .map(S3Object::key)
                .filter(key -> key.startsWith(prefix))
                .map(key -> KEY.matcher(key.substring(prefix.length())))
                .filter(Matcher::matches)
                .collect(Collectors.groupingBy(
                        key -> new TenantId(Integer.parseInt(key.group("tenant"))),
                        Collectors.mapping(key -> new ContentHash(key.group("hash")), Collectors.toList())))
                .entrySet()
                .stream();
    }

    @Override
    public void delete(TenantId tenant, ContentHash hash) throws IOException {
        ask(() -> client.deleteObject(request -> request.bucket(bucket).key(key(tenant, hash))));
    }

    @Override
    public int deleteSome(TenantId tenant, int most) throws IOException {
        var found = ask(() -> client.listObjectsV2(request ->
                request.bucket(bucket).prefix(prefix + tenant.value() + "/").maxKeys(most)));
        for (var object : found.contents()) {
            ask(() -> client.deleteObject(request -> request.bucket(bucket).key(object.key())));
        }
        return found.contents().size();
    }

    @Override
    public void close() {
        client.close();
    }

    private String key(TenantId tenant, ContentHash hash) {
        return prefix + tenant.value() + "/" + hash.hex();
    }

    /** Runs a request. NoSuchKeyException for a missing object, IOException for every other failure. */
    private static <T> T ask(Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (NoSuchKeyException e) {
            throw e;
        } catch (SdkException e) {
            throw new IOException("the server of the bucket: " + e.getMessage(), e);
        }
    }

    /** Bytes of an object. Closing before the end aborts the connection instead of reading the rest. */
    private static final class Content extends FilterInputStream {
        private final ResponseInputStream<GetObjectResponse> response;
        private boolean ended;

        Content(ResponseInputStream<GetObjectResponse> response) {
            super(response);
            this.response = response;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            ended |= next < 0;
            return next;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            ended |= count < 0;
            return count;
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                response.abort();
            }
            super.close();
        }
    }

    /** A temporary copy of an object for a single reader. */
    private record Copy(Path path) implements LocalFile {
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(path);
        }
    }
}
