// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes responses that are too large for memory, portion by portion. Nothing is sent before the first portion, so an earlier
 * failure gets an error response; a later failure closes the connection, and the client notices the incomplete response.
 */
public final class JsonStream {
    /** The server buffers some dozens of pieces for a slow reader. */
    private static final int PIECE_BYTES = 16 * 1024;

    private JsonStream() {}

    /**
     * Streams one array or object inside a document.
     *
     * @param before the document's text before the first element, such as an opening bracket
     * @param portions elements as JSON, or members with names and values
     * @param after the document's text after the last element
     * @return UTF-8 in pieces of at most 16 KiB; requests a portion when the previous portion is sent
     */
    public static Flux<byte[]> of(String before, Flux<List<String>> portions, String after) {
        return Flux.defer(() -> {
            var empty = new AtomicBoolean(true);
            return portions.filter(portion -> !portion.isEmpty())
                    .map(portion -> (empty.getAndSet(false) ? before : ",") + String.join(",", portion))
                    .concatWith(Mono.fromSupplier(() -> empty.get() ? before + after : after))
                    .concatMapIterable(JsonStream::pieces, 1);
        });
    }

    /** Splits the UTF-8 of a text into pieces of at most 16 KiB. */
    public static List<byte[]> pieces(String text) {
        byte[] all = text.getBytes(UTF_8);
        var pieces = new ArrayList<byte[]>();
        for (int from = 0; from < all.length; from += PIECE_BYTES) {
            pieces.add(Arrays.copyOfRange(all, from, Math.min(from + PIECE_BYTES, all.length)));
        }
        return pieces;
    }
}
