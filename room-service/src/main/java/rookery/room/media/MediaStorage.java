package rookery.room.media;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import rookery.model.id.TenantId;

/**
 * Where the bytes of files are, by their hash and apart for each tenant: equal files are kept once. All instances that serve media use
 * the same one. Everything here blocks; whoever calls it is {@link MediaStore}.
 */
public interface MediaStorage {
    /** A folder of this machine in which uploads lie until they are whole; only {@link #keep} looks into it. */
    Path incoming();

    /**
     * Makes a whole file of {@link #incoming} the content with that hash, which may be there already. When this returns the content is
     * there after a loss of power. The file may be gone then.
     */
    void keep(TenantId tenant, ContentHash hash, Path file) throws IOException;

    /** That many bytes of a content. NoSuchFileException if it is not there. */
    InputStream read(TenantId tenant, ContentHash hash, long from, long length) throws IOException;

    /** A content as a file of this machine. NoSuchFileException if it is not there. */
    LocalFile local(TenantId tenant, ContentHash hash) throws IOException;

    /** Fails unless a file can be kept now. */
    void check() throws IOException;

    /** What was kept before that moment and not since, by tenant and in portions; to be closed. */
    Stream<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) throws IOException;

    /** Deletes a content, if it is there. */
    void delete(TenantId tenant, ContentHash hash) throws IOException;

    /** That there is no such content. */
    static NoSuchFileException missing(TenantId tenant, ContentHash hash) {
        return new NoSuchFileException(tenant.value() + "/" + hash.hex());
    }

    /** A file to be read, and closed after that. */
    interface LocalFile extends Closeable {
        Path path();
    }
}
