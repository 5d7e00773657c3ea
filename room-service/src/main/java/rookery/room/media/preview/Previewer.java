// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.preview;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import rookery.model.caller.Caller;
import rookery.model.id.MediaId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantUser;
import rookery.room.media.BlockingCalls;
import rookery.room.media.MediaFiles;
import rookery.room.media.preview.PageReader.PageFacts;
import rookery.room.media.preview.PreviewPictures.Picture;
import rookery.room.media.preview.Previews.Preview;
import tools.jackson.databind.node.ObjectNode;

/**
 * Answers previews from the table or by fetching the page. An instance fetches a page once for all concurrent requests. Failures
 * are kept for a short time, too.
 */
@Component
class Previewer {
    private static final Logger log = LoggerFactory.getLogger(Previewer.class);

    private static final Duration KEEP_FAILURES_FOR = Duration.ofMinutes(1);
    private static final int PAGES_MAX = 10_000;
    private static final PageFacts NOTHING = new PageFacts(Map.of(), List.of());

    private final PageFetcher fetcher;
    private final PreviewPictures pictures;
    private final Previews previews;
    private final PreviewRemoval removal;
    private final MediaFiles files;
    private final FetchSlots slots;
    private final BlockingCalls readers;
    private final TransactionalOperator tx;
    private final PreviewProperties properties;
    private final Clock clock;
    private final Map<PageKey, Mono<Preview>> underWay = new ConcurrentHashMap<>();

    Previewer(
            PageFetcher fetcher,
            PreviewPictures pictures,
            Previews previews,
            PreviewRemoval removal,
            MediaFiles files,
            FetchSlots slots,
            BlockingCalls pageThreads,
            TransactionalOperator tx,
            PreviewProperties properties,
            Clock clock) {
        this.fetcher = fetcher;
        this.pictures = pictures;
        this.previews = previews;
        this.removal = removal;
        this.files = files;
        this.slots = slots;
        this.readers = pageThreads;
        this.tx = tx;
        this.properties = properties;
        this.clock = clock;
    }

    private record PageKey(TenantId tenant, PageUrl url) {}

    /** The facts of a page, and its picture. */
    private record Contents(
            PageUrl url, PageFacts facts, @Nullable Picture picture) {}

    /**
     * An object without members for a page without facts. M_NOT_FOUND where the page cannot be fetched; M_LIMIT_EXCEEDED at the
     * user's and 503 at the instance's limit of concurrent fetches.
     */
    Mono<ObjectNode> preview(Caller caller, PageUrl url) {
        return previews.find(caller.tenant(), url)
                .switchIfEmpty(Mono.defer(() -> shared(caller, url)))
                .flatMap(preview -> shown(caller.tenant(), preview));
    }

    /** The answer, without a picture that an administrator has quarantined or deleted. */
    private Mono<ObjectNode> shown(TenantId tenant, Preview preview) {
        String answer = preview.answer();
        if (answer == null) {
            return Mono.error(UnreachableException::answer);
        }
        return preview.picture() == null
                ? Mono.just(PreviewAnswer.object(answer))
                : files.find(tenant, preview.picture())
                        .map(_ -> PreviewAnswer.object(answer))
                        .switchIfEmpty(Mono.fromSupplier(() -> PreviewAnswer.withoutPicture(answer)));
    }

    private Mono<Preview> shared(Caller caller, PageUrl url) {
        return underWay.computeIfAbsent(new PageKey(caller.tenant(), url), page -> started(caller, page));
    }

    /** The fetch goes on when the waiting clients disconnect (decision 0001). */
    private Mono<Preview> started(Caller caller, PageKey page) {
        var user = new TenantUser(caller.tenant(), caller.user());
        slots.take(user);
        return fetched(caller, page.url)
                .doOnTerminate(
                        () -> { // before the answer, after which the client may ask again at once
                            slots.giveBack(user);
                            underWay.remove(page);
                        })
                .cache();
    }

    private Mono<Preview> fetched(Caller caller, PageUrl url) {
        return contents(caller, url)
                .flatMap(contents -> stored(caller, url, contents))
                .doOnError(failure -> log.atDebug()
                        .addKeyValue("cause", failure.getClass().getSimpleName())
                        .log("a page cannot be fetched for its preview"))
                .onErrorResume(_ -> storedFailure(caller.tenant(), url));
    }

    private Mono<Contents> contents(Caller caller, PageUrl url) {
        return Mono.defer(() -> {
            long end = clock.millis() + properties.timeout().toMillis();
            return fetcher.ask(url, (at, headers, body) -> read(caller, at, headers, body))
                    .defaultIfEmpty(new Contents(url, NOTHING, null))
                    .timeout(properties.timeout())
                    .flatMap(contents -> withPicture(caller, contents, end));
        });
    }

    private Mono<Contents> read(Caller caller, PageUrl url, HttpHeaders headers, ByteBufFlux body) {
        String header = headers.get("Content-Type", "");
        String type = header.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.equals("text/html") || type.equals("application/xhtml+xml")) {
            var charset = HttpUtil.getCharsetAsSequence(header);
            return PageFetcher.beginning(
                            body.asByteArray(), (int) properties.pageMax().toBytes())
                    .flatMap(bytes ->
                            readers.call(() -> PageReader.read(bytes, charset == null ? null : charset.toString())))
                    .map(facts -> new Contents(url, facts, null));
        }
        return type.startsWith("image/")
                ? pictures.take(caller, headers, body).map(picture -> new Contents(url, NOTHING, picture))
                : Mono.empty();
    }

    /** Adds the first of the page's pictures that can be fetched in the remaining time, if any. */
    private Mono<Contents> withPicture(Caller caller, Contents contents, long end) {
        return Flux.fromIterable(contents.facts.pictures())
                .mapNotNull(contents.url::resolve)
                .concatMap(url -> fetcher.ask(url, (_, headers, body) -> pictures.take(caller, headers, body))
                        .onErrorComplete())
                .next()
                .map(picture -> new Contents(contents.url, contents.facts, picture))
                .timeout(Duration.ofMillis(Math.max(1, end - clock.millis())))
                .onErrorComplete()
                .defaultIfEmpty(contents);
    }

    /** The preview as stored. If its row cannot be written, the preview has no picture and is not stored. */
    private Mono<Preview> stored(Caller caller, PageUrl url, Contents contents) {
        String text = PreviewAnswer.of(contents.facts.properties());
        var picture = contents.picture;
        var row = picture == null
                ? Mono.just(new Preview(text, null))
                : pictures.add(caller, picture)
                        .map(id -> preview(caller, text, id, picture))
                        .defaultIfEmpty(new Preview(text, null));
        return keep(caller.tenant(), url, row, properties.keepFor()).defaultIfEmpty(new Preview(text, null));
    }

    private static Preview preview(Caller caller, String text, MediaId id, Picture picture) {
        return new Preview(PreviewAnswer.with(text, caller.server(), id, picture), id);
    }

    private Mono<Preview> storedFailure(TenantId tenant, PageUrl url) {
        var failure = new Preview(null, null);
        return keep(tenant, url, Mono.just(failure), KEEP_FAILURES_FOR).defaultIfEmpty(failure);
    }

    /**
     * Replaces an expired row. If another instance has written a current row, returns that row. Empty if the row
     * cannot be written.
     */
    private Mono<Preview> keep(TenantId tenant, PageUrl url, Mono<Preview> row, Duration life) {
        var write = removal.removeExpired(tenant, url)
                .then(row)
                .flatMap(preview -> previews.insert(tenant, url, preview, life)
                        .filter(isNew -> isNew)
                        .switchIfEmpty(Mono.error(() -> new IllegalStateException("another instance was faster")))
                        .thenReturn(preview))
                .as(tx::transactional);
        return previews.hasMany(tenant, PAGES_MAX)
                .flatMap(hasMany -> hasMany ? removal.makeRoom(tenant) : Mono.empty())
                .then(write)
                .doOnError(failure ->
                        log.atDebug().addKeyValue("cause", failure.toString()).log("a preview was not kept"))
                .onErrorResume(_ -> previews.find(tenant, url).onErrorComplete());
    }
}
