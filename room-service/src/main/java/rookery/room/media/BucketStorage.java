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
 * Objects in a bucket of a server that speaks S3: {@code TENANT/HASH} for each content. An upload is a file of this machine until it is
 * whole, and then becomes an object in one request, so that there is never half an object.
 */
final class BucketStorage implements MediaStorage, AutoCloseable {
    private static final Pattern KEY = Pattern.compile("(?<tenant>[0-9]{1,9})/(?<hash>[0-9a-f]{64})");
    private static final Duration CONNECT = Duration.ofSeconds(3);
    /** How long the server may say nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(15);
    /** How long a request may take with all its attempts; of a read, until the first bytes come. */
    private static final Duration REQUEST = Duration.ofMinutes(2);

    private final String bucket;
    private final String prefix;
    private final Path incoming;
    private final S3Client client;

    /** @param folder in which uploads are until they are whole; blank for a new one where temporary files are */
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
                // servers other than Amazon's often do not know the checksums that its client adds by itself
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

    /** Over one that is there already: it has the same bytes, and is from now on as young as this one. */
    @Override
    public void keep(TenantId tenant, ContentHash hash, Path file) throws IOException {
        ask(() -> client.putObject(request -> request.bucket(bucket).key(key(tenant, hash)), file));
    }

    @Override
    public InputStream read(TenantId tenant, ContentHash hash, long from, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream(); // S3 knows no range of nothing
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
    public void close() {
        client.close();
    }

    private String key(TenantId tenant, ContentHash hash) {
        return prefix + tenant.value() + "/" + hash.hex();
    }

    /** What the server answers; NoSuchKeyException if it says that, and IOException for everything else. */
    private static <T> T ask(Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (NoSuchKeyException e) {
            throw e;
        } catch (SdkException e) {
            throw new IOException("the server of the bucket: " + e.getMessage(), e);
        }
    }

    /** Bytes of an object. Whoever does not want the rest of them does not wait for it. */
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

    /** Of an object, for one reader. */
    private record Copy(Path path) implements LocalFile {
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(path);
        }
    }
}
