// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import rookery.e2e.api.Http;
import rookery.e2e.api.Paths;
import rookery.e2e.api.Session;
import rookery.e2e.running.Rookery;

/** One person's data as a ZIP, and what is left of the person after an erasure (contract.md 5.6). */
@OnOneJvm
class PersonDataE2E {
    private static final String FILE = "bytes of a file";

    /** The columns that keep the id of a person after an erasure, by the rules of contract.md 5.6. */
    private static final Set<String> ID_STAYS = Set.of(
            // the name stays taken
            "auth.account.user_id",
            // the log says that the account and its devices have ended, and that the profile is empty now
            "auth.log_entry.body",
            "auth.log_entry.subject",
            "auth.profile_version.user_id",
            "room.profile.user_id",
            // keeps the person out of the directory, and the messages from later members
            "directory.person.user_id",
            "room.departed.user_id",
            // for a day: the request that deactivated the account; for two days: repeated messages
            "auth.uia_session.result_user",
            "room.transaction.user_id",
            "room.transaction_0.user_id",
            "room.transaction_1.user_id",
            "room.transaction_2.user_id",
            "room.transaction_3.user_id",
            // what the rooms have of the person
            "room.event.sender",
            "room.event.state_key",
            "room.log_entry.subject",
            "room.log_entry.body",
            "room.state.state_key",
            "room.room.creator",
            "room.search.sender",
            "room.receipt.user_id",
            "room.receipt_entry.body",
            "room.device_list.user_id",
            "push.noted.sender",
            // files, reports and the records of administrators
            "room.media.uploader",
            "room.media_usage.uploader",
            "room.report.reporter",
            "admin.audit_record.target");

    /** The columns that keep texts of a person: events, and what is derived from events; reports. */
    private static final Set<String> TEXT_STAYS = Set.of(
            "room.log_entry.body",
            "room.search.words",
            "directory.room.facts",
            "directory.room.search",
            "push.room.name",
            "room.report.event",
            "room.report.reason",
            "room.report.room_name");

    private static final Set<String> DEVICE_STAYS = Set.of(
            // says that the session has ended
            "auth.log_entry.body",
            // the transaction id in events
            "room.log_entry.body",
            // for a day, and for two days
            "auth.uia_session.result_device",
            "room.transaction.device_id",
            "room.transaction_0.device_id",
            "room.transaction_1.device_id",
            "room.transaction_2.device_id",
            "room.transaction_3.device_id");

    private final Rookery rookery;
    private final String mark = "m" + UUID.randomUUID().toString().replace("-", "");

    @TempDir
    private Path folder;

    PersonDataE2E(Rookery rookery) {
        this.rookery = rookery;
    }

    /** The texts of the entries by name. */
    private static Map<String, String> entries(Path zip) throws IOException {
        var texts = new TreeMap<String, String>();
        try (var file = new ZipFile(zip.toFile())) {
            for (var entry : Collections.list(file.entries())) {
                var bytes = file.getInputStream(entry).readAllBytes();
                texts.put(entry.getName(), new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private static String path(Session person) {
        return "/v3/admin/users/" + Paths.encoded(person.userId()) + "/data";
    }

    private static void fill(Session ada, Session bob, MediaClient media, String mark) throws Exception {
        for (var name : List.of("Tea <b>", "../../Coffee")) {
            var room = ada.createRoom(Map.of("preset", "public_chat", "name", name + mark));
            bob.join(room);
            ada.say(room, "said by ada in " + name + mark);
            var event = bob.say(room, "said by bob " + mark);
            ada.post(Paths.room(room, "/receipt/m.read/" + Paths.encoded(event)), Map.of());
            ada.post(Paths.room(room, "/report/" + Paths.encoded(event)), Map.of("reason", "reported " + mark));
            ada.put(
                    Paths.room(room, "/send/m.room.message/late?org.matrix.msc4140.delay=3600000"),
                    Map.of("msgtype", "m.text", "body", "late " + mark));
        }
        var user = "/v3/user/" + Paths.encoded(ada.userId());
        ada.put(user + "/account_data/m.test", Map.of("setting", "set " + mark));
        ada.post(user + "/filter", Map.of("room", Map.of("not_rooms", List.of("!filter" + mark))));
        ada.put(
                "/v3/profile/" + Paths.encoded(ada.userId()) + "/displayname",
                Map.of("displayname", "<script>Ada " + mark));
        media.upload(ada, (FILE + mark).getBytes(StandardCharsets.UTF_8), "text/plain");
    }

    @Test
    void aPersonsDataAreInTheZipAndOnlyTheRulesLeaveTracesAfterAnErasure() throws Exception {
        try (var http = rookery.http();
                var elsewhere = Http.to(rookery.site(SharedRookery.SECOND_TENANT));
                var media = new MediaClient(rookery)) {
            var root = Steps.administrator(rookery, http);
            var ada = People.newcomer(http, "ada");
            var bob = People.newcomer(http, "bob");
            fill(ada, bob, media, mark);

            assertThat(bob.call("GET", path(ada), null).status()).isEqualTo(403);
            assertThat(Steps.administrator(rookery, elsewhere, 2)
                            .call("GET", path(ada), null)
                            .errcode())
                    .isEqualTo("M_INVALID_PARAM");
            assertThat(root.call(
                                    "GET",
                                    path(ada)
                                            .replace(
                                                    Paths.encoded(ada.userId()),
                                                    "%40nobody%3A"
                                                            + ada.userId().split(":", 2)[1]),
                                    null)
                            .status())
                    .isEqualTo(404);

            assertThat(root.call("GET", path(ada), null).status()).isEqualTo(200);
            checked(ada, exported(root, media, ada));
            checked(ada, exportedByOperator(ada));
            erased(root, ada);
        }
    }

    private Path exported(Session root, MediaClient media, Session ada) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = media.ask(root, "/_api/client" + path(ada));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/zip");
        assertThat(answer.headers().firstValue("Content-Disposition").orElse(""))
                .startsWith("attachment; filename=\"ada");
        return Files.write(folder.resolve("administrator.zip"), answer.body());
    }

    private Path exportedByOperator(Session ada) throws IOException, InterruptedException {
        var file = folder.resolve("operator.zip");
        var run = new AdminProgram(rookery).run("export-user", ada.userId(), file.toString());
        assertThat(run.exit()).as(run.printed()).isZero();
        return file;
    }

    private void checked(Session ada, Path zip) throws IOException {
        var entries = entries(zip);
        var all = String.join("\n", entries.values());
        assertThat(all)
                .contains("said by ada in Tea", "said by ada in ../../Coffee")
                .doesNotContain("said by bob");
        assertThat(entries.keySet())
                .noneMatch(name -> name.contains("..") || name.startsWith("/") || name.contains("<"));
        assertThat(entries.entrySet())
                .filteredOn(entry -> entry.getKey().startsWith("media/"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.getValue()).isEqualTo(FILE + mark));
        assertThat(entries.get("index.html"))
                .contains(ada.userId(), "data/account.ndjson")
                .doesNotContain("<script", "<b>");
        var expected = Map.ofEntries(
                Map.entry("account", "\"created_at\""),
                Map.entry("profile", "<script>Ada " + mark),
                Map.entry("devices", ada.deviceId()),
                Map.entry("sessions", ada.deviceId()),
                Map.entry("account-data", "set " + mark),
                Map.entry("history", "set " + mark),
                Map.entry("filters", "!filter" + mark),
                Map.entry("rooms", "Coffee" + mark),
                Map.entry("memberships", "\"join\""),
                Map.entry("read-markers", "m.read"),
                Map.entry("reports-made", "reported " + mark),
                Map.entry("scheduled-messages", "late " + mark),
                Map.entry("files", "text/plain"),
                Map.entry("administration", "export data"));
        expected.forEach((name, text) ->
                assertThat(entries.get("data/" + name + ".ndjson")).as(name).contains(text));
        assertThat(all).doesNotContain("password_hash", "token_hash", "argon2", "delay_id");
        assertThat(entries.keySet().stream().filter(name -> name.endsWith("messages.html")))
                .hasSize(2);
    }

    private void erased(Session root, Session ada) throws IOException {
        root.post("/v3/admin/users/" + Paths.encoded(ada.userId()) + "/deactivate", Map.of("erase", true));
        Traces.awaitNone(rookery, ada.userId(), ID_STAYS);
        Traces.awaitNone(rookery, mark, TEXT_STAYS);
        Traces.awaitNone(rookery, ada.deviceId(), DEVICE_STAYS);
        for (var secret : List.of("set " + mark, "!filter" + mark)) {
            assertThat(Traces.of(rookery, secret, Set.of())).as(secret).isEmpty();
        }
    }
}
