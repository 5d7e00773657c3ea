package rookery.auth.keybackup;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.BackupSessions.Part;
import tools.jackson.databind.json.JsonMapper;

/** Backups as JSON, page by page: some have 50,000 keys and would not fit into memory for many at once. */
@Component
class BackupText {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final BackupSessions sessions;

    BackupText(BackupSessions sessions) {
        this.sessions = sessions;
    }

    /** {@code {"rooms":{…}}}; no connection waits for a slow reader. */
    Flux<DataBuffer> rooms(BackupVersion version) {
        return Flux.concat(text("{\"rooms\":{"), pages(version, Part.ALL), text("}}"));
    }

    /** {@code {"sessions":{…}}}. */
    Flux<DataBuffer> room(BackupVersion version, Part room) {
        return Flux.concat(text("{"), pages(version, room), text("}"));
    }

    /** A page, and the last session of the page before it. */
    private record Page(@Nullable BackupSession after, List<BackupSession> sessions) {
        boolean isLast() {
            return sessions.size() < BackupSessions.PAGE_ROWS;
        }
    }

    private Flux<DataBuffer> pages(BackupVersion version, Part part) {
        return page(version, part, null)
                .expand(page -> page.isLast() ? Mono.empty() : page(version, part, page.sessions.getLast()))
                .map(page -> buffer(written(page, part.room() == null)));
    }

    private Mono<Page> page(BackupVersion version, Part part, @Nullable BackupSession after) {
        return sessions.page(version, part, after).map(found -> new Page(after, found));
    }

    /** Begins and ends rooms where another one comes; the first page begins the first, and the last one ends the last. Pure. */
    private static String written(Page page, boolean isByRoom) {
        var text = new StringBuilder();
        var before = page.after;
        if (before == null && !isByRoom) {
            text.append("\"sessions\":{");
        }
        for (var session : page.sessions) {
            boolean isNewRoom = before == null || !before.room().equals(session.room());
            if (isByRoom && isNewRoom) {
                text.append(before == null ? "" : "}},")
                        .append(JSON.writeValueAsString(session.room().value()))
                        .append(":{\"sessions\":{");
            } else if (before != null) {
                text.append(',');
            }
            text.append(JSON.writeValueAsString(session.id()))
                    .append(':')
                    .append(JSON.writeValueAsString(session.data()));
            before = session;
        }
        if (page.isLast()) {
            text.append(!isByRoom ? "}" : before == null ? "" : "}}");
        }
        return text.toString();
    }

    private static Flux<DataBuffer> text(String text) {
        return Flux.defer(() -> Flux.just(buffer(text)));
    }

    private static DataBuffer buffer(String text) {
        return DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
