// SPDX-License-Identifier: Apache-2.0
package rookery.auth.keybackup;

import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.auth.keybackup.BackupSession.Data;
import rookery.auth.keybackup.BackupSessions.Part;
import rookery.auth.keybackup.KeyBackups.BackupRow;
import rookery.model.caller.Caller;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.RoomId;
import rookery.platform.http.AnswerBudget;
import rookery.platform.http.JsonBody;

/**
 * The sessions in a user's key backup: all, of one room, or a single one (contract.md 13.5). Errors: M_NOT_FOUND;
 * M_WRONG_ROOM_KEYS_VERSION for an upload to a version that is not the current one; M_MISSING_PARAM, M_BAD_JSON, M_INVALID_PARAM,
 * M_TOO_LARGE, M_RESOURCE_LIMIT_EXCEEDED.
 */
@RestController
class BackupKeysApi {
    private static final String ALL = "/_api/client/v3/room_keys/keys";
    private static final String ROOM = ALL + "/{roomId}";
    private static final String SESSION = ROOM + "/{sessionId}";

    private final KeyBackups backups;
    private final BackupSessions sessions;
    private final BackupKeeper keeper;
    private final BackupText text;

    BackupKeysApi(KeyBackups backups, BackupSessions sessions, BackupKeeper keeper, BackupText text) {
        this.backups = backups;
        this.sessions = sessions;
        this.keeper = keeper;
        this.text = text;
    }

    @PutMapping(ALL)
    Mono<ChangeAnswer> put(Caller caller, @RequestParam String version, JsonBody body) {
        return keeper.put(of(caller, version), BackupSession.ofRooms(body)).map(ChangeAnswer::of);
    }

    @PutMapping(ROOM)
    Mono<ChangeAnswer> putRoom(
            Caller caller, @PathVariable RoomId roomId, @RequestParam String version, JsonBody body) {
        return keeper.put(of(caller, version), BackupSession.ofRoom(roomId, body))
                .map(ChangeAnswer::of);
    }

    @PutMapping(SESSION)
    Mono<ChangeAnswer> putSession(
            Caller caller,
            @PathVariable RoomId roomId,
            @PathVariable String sessionId,
            @RequestParam String version,
            JsonBody body) {
        return keeper.put(of(caller, version), List.of(BackupSession.of(roomId, sessionId, body)))
                .map(ChangeAnswer::of);
    }

    @GetMapping(ALL)
    Mono<ResponseEntity<Flux<byte[]>>> get(Caller caller, @RequestParam String version) {
        return streamed(caller, version).map(backup -> json(text.rooms(backup)));
    }

    @GetMapping(ROOM)
    Mono<ResponseEntity<Flux<byte[]>>> getRoom(
            Caller caller, @PathVariable RoomId roomId, @RequestParam String version) {
        return streamed(caller, version).map(backup -> json(text.room(backup, new Part(roomId, null))));
    }

    @GetMapping(SESSION)
    Mono<Data> getSession(
            Caller caller, @PathVariable RoomId roomId, @PathVariable String sessionId, @RequestParam String version) {
        return existing(caller, version)
                .flatMap(backup -> sessions.page(backup, session(roomId, sessionId), null))
                .filter(page -> !page.sessions().isEmpty())
                .map(page -> page.sessions().getFirst().data())
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such key in the backup")));
    }

    @DeleteMapping(ALL)
    Mono<ChangeAnswer> delete(Caller caller, @RequestParam String version) {
        return keeper.delete(of(caller, version), Part.ALL).map(ChangeAnswer::of);
    }

    @DeleteMapping(ROOM)
    Mono<ChangeAnswer> deleteRoom(Caller caller, @PathVariable RoomId roomId, @RequestParam String version) {
        return keeper.delete(of(caller, version), new Part(roomId, null)).map(ChangeAnswer::of);
    }

    @DeleteMapping(SESSION)
    Mono<ChangeAnswer> deleteSession(
            Caller caller, @PathVariable RoomId roomId, @PathVariable String sessionId, @RequestParam String version) {
        return keeper.delete(of(caller, version), session(roomId, sessionId)).map(ChangeAnswer::of);
    }

    private static Part session(RoomId room, String id) {
        return new Part(room, BackupSession.requireId(id));
    }

    private Mono<BackupVersion> existing(Caller caller, String version) {
        var requested = of(caller, version);
        return backups.find(requested).map(_ -> requested).switchIfEmpty(Mono.error(BackupVersion::unknown));
    }

    /** Reserves the memory for the pages in flight, however slow the client reads. */
    private Mono<BackupVersion> streamed(Caller caller, String version) {
        return existing(caller, version).delayUntil(_ -> AnswerBudget.reserve(BackupText.BYTES_AT_A_TIME));
    }

    private static BackupVersion of(Caller caller, String version) {
        return BackupVersion.of(caller.tenant(), caller.user(), version);
    }

    private static ResponseEntity<Flux<byte[]>> json(Flux<byte[]> body) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body);
    }

    record ChangeAnswer(String etag, long count) {
        static ChangeAnswer of(BackupRow stored) {
            return new ChangeAnswer(Long.toString(stored.etag()), stored.sessions());
        }
    }
}
