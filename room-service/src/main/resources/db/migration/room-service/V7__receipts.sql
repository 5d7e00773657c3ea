-- Up to where users have read (CONTRACT.md 11.3): the current receipt of each user, type and thread. An entry of the log that tells
-- no current receipt any more is deleted with the receipt that superseded it, so the log holds no more of them than this table.
-- Rows stay when their user leaves, and go with the room.
CREATE TABLE room.receipt (
    tenant    int    NOT NULL,
    room_id   text   NOT NULL,
    user_id   text   NOT NULL,
    type      text   NOT NULL,
    -- main, the root of a thread, or empty for none in particular
    thread    text   NOT NULL,
    event_id  text   NOT NULL,
    -- where the event stands that was read
    event_pos bigint NOT NULL,
    ts        bigint NOT NULL,
    -- of the log entry that tells it
    pos       bigint NOT NULL,
    PRIMARY KEY (tenant, room_id, user_id, type, thread)
);
CREATE INDEX receipt_by_pos ON room.receipt (tenant, room_id, pos);
