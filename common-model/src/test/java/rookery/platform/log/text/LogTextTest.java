// SPDX-License-Identifier: Apache-2.0
package rookery.platform.log.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import rookery.model.event.Membership;
import rookery.model.id.DeviceId;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TransactionId;
import rookery.model.id.UserId;
import rookery.model.topic.DeviceLogRecord;
import rookery.model.topic.DeviceLogRecord.DeviceKeysChanged;
import rookery.model.topic.DeviceLogRecord.KeyCountsSet;
import rookery.model.topic.DeviceLogRecord.ToDeviceSent;
import rookery.model.topic.EventMeta;
import rookery.model.topic.EventMeta.MembershipChange;
import rookery.model.topic.EventMeta.RedactionTarget;
import rookery.model.topic.EventMeta.ReplacedState;
import rookery.model.topic.EventMeta.RoomAtEvent;
import rookery.model.topic.EventMeta.SenderPower;
import rookery.model.topic.EventMeta.Transaction;
import rookery.model.topic.RoomLogRecord;
import rookery.model.topic.RoomLogRecord.DeviceListChanged;
import rookery.model.topic.RoomLogRecord.EventAppended;
import rookery.model.topic.RoomLogRecord.Receipt;
import rookery.model.topic.RoomLogRecord.ReceiptsSet;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;

/** Golden texts: stored entries must stay readable, so these are only added to. */
class LogTextTest {
    private static final UserId ADA = new UserId("@ada:example.org");

    @Test
    void aMessageKeepsItsShape() {
        var meta = builder("m.room.message", new RoomAtEvent("shared", 2, 1))
                .transaction(new Transaction(new DeviceId("D"), new TransactionId("t")))
                .build();
        expectGolden(new EventAppended(meta, "{\"type\":\"m.room.message\"}", null, null), """
                {"event_id":"$e","type":"m.room.message","sender":"@ada:example.org","ts":7,"device":"D","txn":"t",\
                "visibility":"shared","joined":2,"invited":1,"url":false}
                {"type":"m.room.message"}

                """);
    }

    @Test
    void theSendersPowerAndWhatWasRedactedKeepTheirShape() {
        var meta = builder("m.room.redaction", new RoomAtEvent("shared", 2, 1))
                .redacts(new RedactionTarget(new EventId("$gone"), 5L))
                .power(new SenderPower(50, Map.of("room", 20L)))
                .build();
        expectGolden(new EventAppended(meta, "{\"type\":\"m.room.redaction\"}", null, null), """
                {"event_id":"$e","type":"m.room.redaction","sender":"@ada:example.org","ts":7,"visibility":"shared",\
                "redacts":"$gone","joined":2,"invited":1,"url":false,"redacts_pos":5,\
                "power":{"level":50,"notifications":{"room":20}}}
                {"type":"m.room.redaction"}

                """);
    }

    @Test
    void aMemberEventKeepsItsShape() {
        var meta = builder("m.room.member", new RoomAtEvent("joined", "shared", 2, 1))
                .stateKey("@bob:example.org")
                .membershipChange(new MembershipChange(Membership.LEAVE, Membership.INVITE))
                .replaces(new ReplacedState(new EventId("$d"), 3, "shared"))
                .url(true)
                .build();
        expectGolden(new EventAppended(meta, "{}", "{\"membership\":\"leave\"}", "[]"), """
                {"event_id":"$e","type":"m.room.member","sender":"@ada:example.org","state_key":"@bob:example.org","ts":7,\
                "visibility":"joined","visibility_before":"shared","membership":"invite","membership_before":"leave",\
                "replaces":{"event_id":"$d","pos":3,"visibility":"shared"},"joined":2,"invited":1,"url":true}
                {}
                {"membership":"leave"}
                []""");
    }

    @Test
    void aMessageInAThreadKeepsItsShape() {
        var meta = builder("m.room.message", new RoomAtEvent("world_readable", 2, 1))
                .transaction(new Transaction(new DeviceId("D"), new TransactionId("t")))
                .thread(new EventId("$root"))
                .url(true)
                .power(new SenderPower(100, null))
                .build();
        expectGolden(new EventAppended(meta, "{}", null, null), """
                {"event_id":"$e","type":"m.room.message","sender":"@ada:example.org","ts":7,"device":"D","txn":"t",\
                "visibility":"world_readable","thread":"$root","joined":2,"invited":1,"url":true,"power":{"level":100}}
                {}

                """);
    }

    @Test
    void aChangeOfTheVisibilityKeepsItsShape() {
        var meta = builder("m.room.history_visibility", new RoomAtEvent("joined", "shared", 2, 0))
                .stateKey("")
                .transaction(new Transaction(new DeviceId("D"), new TransactionId("t")))
                .replaces(new ReplacedState(new EventId("$d"), 3, "invited"))
                .build();
        expectGolden(new EventAppended(meta, "{}", "{\"history_visibility\":\"shared\"}", null), """
                {"event_id":"$e","type":"m.room.history_visibility","sender":"@ada:example.org","state_key":"","ts":7,\
                "device":"D","txn":"t","visibility":"joined","visibility_before":"shared",\
                "replaces":{"event_id":"$d","pos":3,"visibility":"invited"},"joined":2,"invited":0,"url":false}
                {}
                {"history_visibility":"shared"}
                """);
    }

    @Test
    void aRedactionByAReleaseThatDidNotSayWhereItsTargetStandsKeepsItsShape() {
        var meta = builder("m.room.redaction", new RoomAtEvent("shared", 2, 1))
                .redacts(new RedactionTarget(new EventId("$gone"), null))
                .build();
        expectGolden(new EventAppended(meta, "{}", null, null), """
                {"event_id":"$e","type":"m.room.redaction","sender":"@ada:example.org","ts":7,"visibility":"shared",\
                "redacts":"$gone","joined":2,"invited":1,"url":false}
                {}

                """);
    }

    @Test
    void receiptsKeepTheirShape() {
        var receipts = new ReceiptsSet(List.of(
                new Receipt(new EventId("$e"), 3, "m.read", ADA, null, 7),
                new Receipt(new EventId("$f"), 4, "m.read.private", ADA, "main", 8)));
        String golden = """
                [{"event_id":"$e","pos":3,"type":"m.read","user_id":"@ada:example.org","ts":7},\
                {"event_id":"$f","pos":4,"type":"m.read.private","user_id":"@ada:example.org","thread":"main","ts":8}]""";
        assertThat(RoomLogText.write(receipts)).isEqualTo(golden);
        assertThat(RoomLogText.read(RoomLogRecord.RECEIPT, golden)).isEqualTo(receipts);
    }

    @Test
    void aChangeOfDevicesKeepsItsShape() {
        var changed = new DeviceListChanged(List.of(-7L, 8L));
        assertThat(RoomLogText.write(changed)).isEqualTo("{\"rooms\":[-7,8]}");
        assertThat(RoomLogText.read(RoomLogRecord.DEVICE_LIST, "{\"rooms\":[-7,8]}"))
                .isEqualTo(changed);
    }

    @Test
    void aRedactedEventSaysWhy() {
        var meta = builder("m.room.message", new RoomAtEvent("shared", 2, 1)).build();
        expectGolden(new EventAppended(meta, "{}", null, null, "{\"type\":\"m.room.redaction\"}"), """
                {"event_id":"$e","type":"m.room.message","sender":"@ada:example.org","ts":7,\
                "visibility":"shared","joined":2,"invited":1,"url":false}
                {}


                {"type":"m.room.redaction"}""");
    }

    private static EventMeta.Builder builder(String type, RoomAtEvent room) {
        return EventMeta.builder(new EventId("$e"), type, ADA, 7, room);
    }

    private static void expectGolden(EventAppended event, String golden) {
        assertThat(RoomLogText.write(event)).isEqualTo(golden);
        assertThat(RoomLogText.read(RoomLogRecord.EVENT, golden)).isEqualTo(event);
    }

    @Test
    void userRecordsKeepTheirShape() {
        expectGolden(new AccountDataSet("m.direct", null, "{\"a\":1}"), "{\"type\":\"m.direct\"}\n{\"a\":1}");
        expectGolden(
                new AccountDataSet("m.tag", new RoomId("!r:example.org"), "{}"),
                "{\"type\":\"m.tag\",\"room\":\"!r:example.org\"}\n{}");
        expectGolden(
                new ProfileSet("Ada\0", "mxc://s/m"), "{\"displayname\":\"Ada\\u0000\",\"avatar_url\":\"mxc://s/m\"}");
        expectGolden(new ProfileSet(null, null), "{}");
        expectGolden(new SessionEnded(new DeviceId("D")), "{\"device\":\"D\"}");
        expectGolden(new SessionLocked(new DeviceId("D")), "{\"device\":\"D\"}");
        expectGolden(new AccountChanged(AccountState.BLOCKED), "{\"state\":\"blocked\"}");
    }

    @Test
    void recordsOfDevicesKeepTheirShape() {
        expectGolden(
                new ToDeviceSent(new DeviceId("D"), "m.room_key", ADA, "{\"a\":1}"),
                "D\n{\"type\":\"m.room_key\",\"sender\":\"@ada:example.org\"}\n{\"a\":1}");
        expectGolden(
                new KeyCountsSet(new DeviceId("D"), Map.of("signed_curve25519", 7L), List.of("signed_curve25519")),
                """
                {"device":"D","one_time_keys":{"signed_curve25519":7},"unused_fallback":["signed_curve25519"]}""");
        expectGolden(new DeviceKeysChanged(ADA), "{\"user\":\"@ada:example.org\"}");
    }

    private static void expectGolden(DeviceLogRecord record, String golden) {
        assertThat(DeviceLogText.write(record)).isEqualTo(golden);
        assertThat(DeviceLogText.read(DeviceLogText.kind(record), golden)).isEqualTo(record);
        assertThat(UserLogText.read(DeviceLogText.kind(record), golden))
                .as("for who follows people, not devices")
                .isNull();
    }

    private static void expectGolden(UserLogRecord record, String golden) {
        assertThat(UserLogText.write(record)).isEqualTo(golden);
        assertThat(UserLogText.read(UserLogText.kind(record), golden)).isEqualTo(record);
    }

    @Test
    void aKindOfANewerReleaseIsSkipped() {
        assertThat(RoomLogText.read("hologram", "{}")).isNull();
        assertThat(UserLogText.read("hologram", "{}")).isNull();
        assertThat(DeviceLogText.read("hologram", "{}")).isNull();
    }
}
