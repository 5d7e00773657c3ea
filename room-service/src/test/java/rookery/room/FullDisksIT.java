// SPDX-License-Identifier: Apache-2.0
package rookery.room;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.MediaClient.header;
import static rookery.room.MediaClient.json;

import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A disk below its limits of free space, by limits that no disk meets, and a database that reports a full disk
 * (contract.md 2.4, 4).
 */
class FullDisksIT {
    private static final String READY = "/internal/ready";

    @RegisterExtension
    static final RoomServer full = RoomServer.own(
            "--rookery.disk.folders.data=" + System.getProperty("user.dir"),
            "--rookery.disk.uploads-below=0.99999",
            "--rookery.disk.writes-below=0.9999");

    private final MediaClient media = new MediaClient(full);

    @Test
    void withoutRoomFilesAreNotTakenInAndNothingIsWritten() {
        var upload = media.upload("ada", BodyPublishers.ofString("bytes"), "");
        assertThat(upload.statusCode()).isEqualTo(507);
        assertThat(json(upload).path("error").stringValue()).contains("disk is almost full");

        String path = "/_api/client/v3/rooms/%21r/send/m.room.message/1";
        var message = media.send("ada", "PUT", path, BodyPublishers.ofString("{\"body\":\"a\"}"));
        assertThat(message.statusCode()).isEqualTo(503);
        assertThat(header(message, "Retry-After")).isEqualTo("60");
        assertThat(json(message).path("error").stringValue()).contains("disk is full");

        assertThat(full.as("ada").get("/joined_rooms").status()).isEqualTo(200);
        assertThat(full.as("ada").post("/rooms/!r:example.org/leave", "{}").errcode())
                .isEqualTo("M_FORBIDDEN"); // by the room
    }

    @Test
    void aFullDiskIsNamedAndTheServiceStaysReady() {
        var ready = full.internal("GET", READY, null);

        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().at("/checks/disk_data").stringValue()).isEqualTo("error");
        assertThat(ready.json().at("/checks/disk_media").stringValue()).isEqualTo("error");
    }

    @Test
    void aDatabaseWithoutSpaceIsSaidToClientsAndOperators() {
        var superuser = full.superuser();
        superuser.execute("""
            CREATE FUNCTION room.refuse_full() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$
            """);
        superuser.execute("""
            CREATE TRIGGER refuse_full BEFORE INSERT ON room.media FOR EACH ROW
            WHEN (NEW.uploader = '@full:example.org') EXECUTE FUNCTION room.refuse_full()
            """);

        var refused = media.send("@full:example.org", "POST", "/_api/media/v1/create", BodyPublishers.noBody());

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(header(refused, "Retry-After")).isEqualTo("60");
        assertThat(json(refused).path("error").stringValue()).contains("disk is full");
        var ready = full.internal("GET", READY, null);
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.json().at("/checks/database").stringValue()).isEqualTo("degraded");
    }
}
