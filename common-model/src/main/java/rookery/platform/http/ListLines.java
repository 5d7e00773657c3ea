// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a long list from one service to another as lines of JSON, without keeping the list in memory: first the total, then the
 * items, last the number of written items and the key to continue after, if there are more.
 */
public final class ListLines {
    /** The number of items in one read. */
    private static final int PORTION = 200;

    private static final JsonMapper JSON = JsonMapper.shared();

    private ListLines() {}

    /** The first line. */
    public record Head(long total) {}

    /** The last line; a response without it is incomplete. {@code next} is null at the end of the list. */
    public record End(int end, @Nullable String next) {}

    /** Reads a portion of the items: at most that many after the key. */
    public interface Portions<T> {
        Mono<List<T>> after(String key, int most);
    }

    /**
     * Writes a list.
     *
     * @param after the key to continue after; empty for the beginning
     * @param limit null for all
     * @param key the sort key of an item
     */
    public static <T> Flux<byte[]> write(
            Mono<Long> total, String after, @Nullable Integer limit, Portions<T> portions, Function<T, String> key) {
        var last = new AtomicReference<Portion<T>>();
        var written = new AtomicInteger();
        var items = portion(after, limit == null ? Integer.MAX_VALUE : limit, portions, key)
                .expand(portion -> portion.goesOn()
                        ? portion(portion.lastKey, portion.left, portions, key)
                        : Mono.<Portion<T>>empty())
                .doOnNext(last::set)
                .concatMapIterable(Portion::items, 1)
                .doOnNext(_ -> written.incrementAndGet())
                .map(ListLines::line);
        return Flux.concat(
                total.map(Head::new).map(ListLines::line),
                items,
                Mono.fromSupplier(() -> line(new End(written.get(), last.get().hasMore ? last.get().lastKey : null))));
    }

    /**
     * Writes a list that begins at a number of items after the first.
     *
     * @param after the key to continue after; empty if the list has no more items than that, so that none is written
     */
    public static <T> Flux<byte[]> write(
            Mono<Long> total,
            Mono<String> after,
            @Nullable Integer limit,
            Portions<T> portions,
            Function<T, String> key) {
        return after.cache() // runs to its end, as the read of a portion
                .map(place -> write(total, place, limit, portions, key))
                .switchIfEmpty(Mono.fromSupplier(() -> write(total, "", limit, (_, _) -> Mono.just(List.<T>of()), key)))
                .flatMapMany(lines -> lines);
    }

    /**
     * Writes a whole list without its total.
     *
     * @param portions items as JSON without line breaks
     */
    public static Flux<byte[]> whole(Flux<List<String>> portions) {
        return Flux.defer(() -> {
            var written = new AtomicInteger();
            return portions.concatMapIterable(items -> items, 1)
                    .doOnNext(_ -> written.incrementAndGet())
                    .map(item -> (item + "\n").getBytes(UTF_8))
                    .concatWith(Mono.fromSupplier(() -> line(new End(written.get(), null))));
        });
    }

    /**
     * A portion of the items.
     *
     * @param left the number of items that may follow
     * @param hasMore whether the list has more items
     */
    private record Portion<T>(List<T> items, String lastKey, int left, boolean hasMore) {
        boolean goesOn() {
            return hasMore && left > 0;
        }
    }

    /**
     * Reads one item more than shown, to find out whether there are more. The read runs to its end even if the client
     * disconnects, because it has a database connection until then.
     */
    private static <T> Mono<Portion<T>> portion(String after, int left, Portions<T> portions, Function<T, String> key) {
        int shown = Math.min(PORTION, left);
        return portions.after(after, shown + 1).cache().map(read -> {
            var items = read.subList(0, Math.min(shown, read.size()));
            var lastKey = items.isEmpty() ? after : key.apply(items.getLast());
            return new Portion<>(items, lastKey, left - items.size(), read.size() > shown);
        });
    }

    private static byte[] line(Object document) {
        byte[] text = JSON.writeValueAsBytes(document);
        var line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return line;
    }
}
