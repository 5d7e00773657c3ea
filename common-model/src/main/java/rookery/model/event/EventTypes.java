// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

/** The event types that the server itself reads or writes (contract.md 15). */
public final class EventTypes {
    public static final String CREATE = "m.room.create";
    public static final String MEMBER = "m.room.member";
    public static final String POWER_LEVELS = "m.room.power_levels";
    public static final String JOIN_RULES = "m.room.join_rules";
    public static final String HISTORY_VISIBILITY = "m.room.history_visibility";
    public static final String GUEST_ACCESS = "m.room.guest_access";
    public static final String NAME = "m.room.name";
    public static final String TOPIC = "m.room.topic";
    public static final String AVATAR = "m.room.avatar";
    public static final String CANONICAL_ALIAS = "m.room.canonical_alias";
    public static final String ENCRYPTION = "m.room.encryption";
    public static final String TOMBSTONE = "m.room.tombstone";
    public static final String THIRD_PARTY_INVITE = "m.room.third_party_invite";
    public static final String REDACTION = "m.room.redaction";
    public static final String ENCRYPTED = "m.room.encrypted";
    public static final String MESSAGE = "m.room.message";

    private EventTypes() {}
}
