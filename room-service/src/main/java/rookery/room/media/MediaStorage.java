// SPDX-License-Identifier: Apache-2.0
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
 * Stores the bytes of files by hash, separately for each tenant; equal files are stored once. All instances that serve media
 * share a storage. Every method blocks; the caller is {@link MediaStore}.
 */
public interface MediaStorage {
    /** A local folder of unfinished uploads. */
    Path incoming();

    /**
     * Stores a complete file of {@link #incoming} as the content with this hash, replacing an equal content. On return the
     * content survives a loss of power. Afterwards {@code file} may be gone: a folder moves it, a bucket copies it.
     */
    void keep(TenantId tenant, ContentHash hash, Path file) throws IOException;

    /** Bytes of a content from an offset on, at least {@code length}. NoSuchFileException for a missing content. */
    InputStream read(TenantId tenant, ContentHash hash, long from, long length) throws IOException;

    /** A content as a local file. NoSuchFileException for a missing content. */
    LocalFile local(TenantId tenant, ContentHash hash) throws IOException;

    /** Fails unless a file can be stored now. */
    void check() throws IOException;

    /** Contents put before that instant and not since, by tenant and in portions. The caller closes the stream. */
    Stream<Map.Entry<TenantId, List<ContentHash>>> older(Instant before) throws IOException;

    /** Deletes a content; a missing content is no error. */
    void delete(TenantId tenant, ContentHash hash) throws IOException;

    /** Deletes at most that many contents of a tenant and returns their number; 0 when nothing of the tenant is left. */
    int deleteSome(TenantId tenant, int most) throws IOException;

    static NoSuchFileException missing(TenantId tenant, ContentHash hash) {
        return new NoSuchFileException(tenant.value() + "/" + hash.hex());
    }

    /** A file for a single reader, to be closed after reading. */
    interface LocalFile extends Closeable {
        Path path();
    }
}
