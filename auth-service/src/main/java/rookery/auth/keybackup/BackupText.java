// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import java.nio.charset.StandardCharsets;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.BackupSessions.Page;
import rookery.auth.keybackup.BackupSessions.Part;
import rookery.platform.http.JsonStream;
import tools.jackson.databind.json.JsonMapper;

/** Streams a key backup as JSON, page by page: a backup may be larger than the memory. */
@Component
class BackupText {
    /** Two pages, the current and the next, each as rows and as text or bytes. */
    static final int BYTES_AT_A_TIME = 4 * BackupSessions.PAGE_BYTES;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final BackupSessions sessions;

    BackupText(BackupSessions sessions) {
        this.sessions = sessions;
    }

    /** {@code {"rooms":{…}}}; a slow client occupies no database connection. */
    Flux<byte[]> rooms(BackupVersion version) {
        return Flux.concat(text("{\"rooms\":{"), pages(version, Part.ALL), text("}}"));
    }

    /** {@code {"sessions":{…}}}. */
    Flux<byte[]> room(BackupVersion version, Part room) {
        return Flux.concat(text("{"), pages(version, room), text("}"));
    }

    private Flux<byte[]> pages(BackupVersion version, Part part) {
        return sessions.page(version, part, null)
                .expand(page -> page.isLast()
                        ? Mono.empty()
                        : sessions.page(version, part, page.sessions().getLast()))
                .concatMapIterable(page -> JsonStream.pieces(written(page, part.room() == null)), 1);
    }

    /** The JSON of one page. A new room closes the room before; the last page closes the last room. Pure. */
    private static String written(Page page, boolean isByRoom) {
        var text = new StringBuilder();
        var before = page.after();
        if (before == null && !isByRoom) {
            text.append("\"sessions\":{");
        }
        for (var session : page.sessions()) {
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

    private static Flux<byte[]> text(String text) {
        return Flux.defer(() -> Flux.just(text.getBytes(StandardCharsets.UTF_8)));
    }
}
