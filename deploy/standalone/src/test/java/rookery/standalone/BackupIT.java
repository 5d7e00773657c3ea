// SPDX-License-Identifier: Apache-2.0
package rookery.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import rookery.embedded.Database;
import rookery.embedded.Migrations;
import rookery.embedded.ServerException;
import rookery.embedded.TestServers;
import rookery.embedded.backup.Backup;
import rookery.embedded.backup.Restore;
import rookery.embedded.backup.Restore.RestoreResult;

/** A backup is one moment of all schemas, and is restored as what it was, into nothing else than an empty database. */
@ResourceLock("passwords of the roles, which all databases of a server share")
class BackupIT {
    private static final Map<String, String> PASSWORDS =
            Migrations.SERVICES.stream().collect(Collectors.toMap(service -> service, _ -> "secret"));

    private static final String PUSHERS =
            "INSERT INTO push.pusher (tenant, user_id, app_id, pushkey, device_id, url, gateway, described, created_at, set_at)"
                    + " SELECT 1, '@user1:s', 'app', 'key' || n, 'D', 'u', 'g', '{}', now(), now()";

    /** The tables that a restore changes. */
    private static final List<String> CHANGED =
            List.of("room.shard", "auth.shard", "room.epoch", "auth.epoch", "auth.one_time_key", "auth.key_count_due");

    private static int databases;

    private final Database original = TestServers.superuserOf(
            TestServers.databases(Migrations.SERVICES.toArray(String[]::new)).getFirst());

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void fill() {
        original.execute(
                "INSERT INTO auth.tenant_name VALUES (1, 's'), (2, NULL)",
                "INSERT INTO auth.account (tenant, user_id, password_hash, created_at)"
                        + " SELECT 1, '@user' || n || ':s', E'tab\\tline\\n\\\\ü', now() FROM generate_series(1, 50) n",
                "INSERT INTO auth.device (tenant, user_id, device_id, created_at) SELECT tenant, user_id, 'D', now()"
                        + " FROM auth.account",
                "INSERT INTO auth.one_time_key (tenant, user_id, device_id, algorithm, key_id, content, pos, place)"
                        + " SELECT tenant, user_id, device_id, 'signed_curve25519', n, '{}', 1, n FROM auth.device,"
                        + " generate_series(1, 3) n WHERE user_id < '@user2'",
                PUSHERS + " FROM generate_series(1, 7) n",
                "UPDATE room.shard SET pos = 10 * shard, number = 5",
                "UPDATE auth.shard SET pos = shard + 1",
                "UPDATE push.follow SET epoch = 1, pos = shard WHERE log = 'room-log'");
    }

    private RestoreResult restored(Path file) {
        return Restore.into(empty(), PASSWORDS, file);
    }

    private Database empty() {
        var superuser = TestServers.postgres().superuser();
        String name = "restored_" + ++databases;
        Migrations.createDatabase(superuser, name);
        last = superuser.named(name);
        return last;
    }

    private Database last = original;

    private Path backup() {
        var file = folder.resolve("backup-" + ++databases + ".zip");
        Backup.write(original, file, Map.of("secrets/x", "secret"));
        return file;
    }

    /** In one test, for a restore takes seconds. */
    @Test
    void whatIsRestoredIsWhatWasThere() {
        original.execute("CREATE TABLE room.notes (text text)");

        var restored = restored(backup());

        assertThat(restored.leftOut()).as("no migration makes it").containsExactly("room.notes");
        original.execute("DROP TABLE room.notes");
        assertTablesAreTheSame();
        assertKeysAreRetired();
        assertThat(texts(last, "SELECT count(*) FROM auth.account")).containsExactly("50");
        last.execute(PUSHERS + " FROM generate_series(8, 8) n");
        assertThat(texts(last, "SELECT max(id) FROM push.pusher")).containsExactly("8");
        for (String schema : List.of("room", "auth")) {
            assertGoesOn(schema, restored);
        }
    }

    private void assertTablesAreTheSame() {
        for (var table : tables(original)) {
            if (!CHANGED.contains(table)) {
                assertThat(texts(last, "SELECT t::text FROM %s t ORDER BY 1".formatted(table)))
                        .as(table)
                        .isEqualTo(texts(original, "SELECT t::text FROM %s t ORDER BY 1".formatted(table)));
            }
        }
    }

    /** Keys claimed after the backup are unknown, so all keys are retired. */
    private void assertKeysAreRetired() {
        assertThat(texts(last, "SELECT count(*) FROM auth.one_time_key"))
                .isEqualTo(texts(original, "SELECT count(*) FROM auth.one_time_key WHERE claimed_at IS NULL"))
                .doesNotContain("0")
                .isEqualTo(texts(last, "SELECT count(*) FROM auth.one_time_key WHERE claimed_at IS NOT NULL"));
        assertThat(texts(last, "SELECT t::text FROM auth.key_count_due t ORDER BY 1"))
                .as("their devices are told")
                .isEqualTo(texts(
                        original,
                        "SELECT DISTINCT (tenant, user_id, device_id)::text FROM auth.one_time_key ORDER BY 1"));
    }

    /** In an epoch that begins where the backup ends. */
    private void assertGoesOn(String schema, RestoreResult restored) {
        var log = Objects.requireNonNull(restored.logs().get(schema));
        assertThat(log.epoch()).isGreaterThan(1);
        assertThat(log.positions())
                .isEqualTo(Objects.requireNonNull(restored.manifest().heads().get(schema))
                        .positions());
        assertThat(texts(
                        last,
                        "SELECT count(*) FROM %1$s.epoch e JOIN %1$s.shard s USING (shard, epoch) WHERE began_at = pos AND previous = 1"
                                .formatted(schema)))
                .containsExactly("64");
        assertThat(texts(
                        last,
                        "SELECT system = system_identifier FROM %s.origin, pg_control_system()".formatted(schema)))
                .containsExactly("t");
    }

    @Test
    void aBackupIsOneMoment() throws Exception {
        long before =
                Backup.write(original, folder.resolve("before.zip"), Map.of()).rows();
        var stopped = new AtomicBoolean();
        var writer = Thread.ofVirtual().start(() -> {
            for (int n = 0; !stopped.get(); n++) {
                // in the order of their names, the backup comes to auth first and to room last
                original.execute(
                        "WITH made AS (INSERT INTO auth.account (tenant, user_id, created_at) VALUES (2, '@%d:s', now()))"
                                        .formatted(n)
                                + " UPDATE room.shard SET pos = pos + 1 WHERE shard = 0");
            }
        });
        try {
            for (int i = 0; i < 5; i++) {
                var manifest = Backup.write(original, folder.resolve(i + ".zip"), Map.of());
                long appended = Objects.requireNonNull(manifest.heads().get("room"))
                        .positions()
                        .getFirst();
                assertThat(manifest.rows()).isEqualTo(before + appended);
            }
        } finally {
            stopped.set(true);
            writer.join();
        }
    }

    @Test
    void nothingIsRestoredOverWhatIsThere() {
        var file = backup();

        assertThatThrownBy(() -> Restore.into(original, PASSWORDS, file))
                .isInstanceOf(ServerException.class)
                .hasMessageContaining("is not empty");
        assertThat(texts(original, "SELECT DISTINCT epoch FROM room.shard")).containsExactly("1");
    }

    @Test
    void whatIsDamagedIsRefusedAndNothingOfItIsThere() {
        var file = backup();
        edit(file, "tables/auth.account", text -> text.replaceFirst("@user7:", "@user8000:"));

        assertThatThrownBy(() -> restored(file)).hasMessageContaining("auth.account is not what was written");
        assertThat(texts(last, "SELECT count(*) FROM auth.account")).containsExactly("0");
    }

    @Test
    void whatWasCutOffIsRefused() throws IOException {
        var file = backup();
        var whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> restored(file)).hasMessageContaining("no whole backup");
    }

    @Test
    void dataOfOtherMigrationsIsRefused() {
        var newer = backup();
        edit(newer, "manifest.properties", text -> text.replace("room-service=1:", "room-service=999:1 1:"));
        assertThatThrownBy(() -> restored(newer)).hasMessageContaining("newer version of Rookery");

        var changed = backup();
        edit(changed, "manifest.properties", text -> text.replaceFirst("room-service=1:-?\\d+", "room-service=1:4711"));
        assertThatThrownBy(() -> restored(changed)).hasMessageContaining("V1 of room-service");
    }

    private static void edit(Path file, String entry, UnaryOperator<String> change) {
        try (var zip = FileSystems.newFileSystem(file)) {
            var path = zip.getPath(entry);
            Files.writeString(path, change.apply(Files.readString(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> tables(Database database) {
        return texts(
                database,
                "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('auth','room','sync','directory','push','admin')"
                        + " AND tablename <> 'flyway_schema_history' ORDER BY 1");
    }

    private static List<String> texts(Database database, String query) {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            var texts = new ArrayList<String>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return Collections.unmodifiableList(texts);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
