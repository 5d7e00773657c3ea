// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import java.nio.charset.StandardCharsets;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.log.follow.Rederivation;
import tools.jackson.databind.json.JsonMapper;

/** Derives both directories from the logs again when an operator requests a rebuild, such as after a bug. Internal. */
@RestController
class RebuildApi {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Rederivation<?> rooms;
    private final Rederivation<?> users;

    RebuildApi(Rederivation<?> roomRederivation, Rederivation<?> userRederivation) {
        this.rooms = roomRederivation;
        this.users = userRederivation;
    }

    /**
     * Lines of JSON with the log, the shard, the position and the shard's end; the last line has {@code done}. An answer without
     * that line is incomplete, and the uncommitted rest of the directories is unchanged.
     */
    @Callers({ServiceName.ADMIN, ServiceName.OPERATOR})
    @PostMapping("/internal/admin/rebuild")
    Flux<byte[]> rebuild() {
        return Flux.concat(
                rooms.run().map(at -> line(new Line("rooms", at.shard(), at.pos(), at.end(), false))),
                users.run().map(at -> line(new Line("users", at.shard(), at.pos(), at.end(), false))),
                Flux.defer(() -> Flux.just(line(new Line("", 0, 0, 0, true)))));
    }

    private record Line(String log, int shard, long pos, long end, boolean done) {}

    private static byte[] line(Line line) {
        return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
