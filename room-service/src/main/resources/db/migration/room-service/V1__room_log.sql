-- The room log (DESIGN.md 2): the truth of everything that happened in rooms.

-- One row a shard: lock, counter and fence in one. The epoch is raised by the restore procedure and by nothing else.
CREATE TABLE room.shard (
    shard int PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 1,
    pos   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20); -- updated by every batch: leaves room to do so in place

INSERT INTO room.shard (shard) SELECT generate_series(0, 15);

CREATE TABLE room.log_entry (
    shard      int     NOT NULL,
    pos        bigint  NOT NULL,
    -- which batch wrote it, so that an append whose COMMIT was not answered can find out
    batch      bigint  NOT NULL,
    kind       text    NOT NULL,
    unit_end   boolean NOT NULL,
    tenant     int     NOT NULL,
    room_id    text,
    subject    text,
    created_ms bigint  NOT NULL,
    body       text    NOT NULL,
    PRIMARY KEY (shard, pos)
);

-- A room lives on one shard for ever. state_pos is the version of its state: a copy read at another one is worthless.
CREATE TABLE room.room (
    tenant     int    NOT NULL,
    room_id    text   NOT NULL,
    shard      int    NOT NULL REFERENCES room.shard,
    creator    text   NOT NULL,
    created_ms bigint NOT NULL,
    state_pos  bigint NOT NULL,
    joined     int    NOT NULL,
    invited    int    NOT NULL,
    PRIMARY KEY (tenant, room_id)
);

-- The events of a room in their order; their text is the body of the log entry at the same position.
CREATE TABLE room.event (
    tenant    int    NOT NULL,
    room_id   text   NOT NULL,
    pos       bigint NOT NULL,
    shard     int    NOT NULL,
    event_id  text   NOT NULL,
    type      text   NOT NULL,
    sender    text   NOT NULL,
    state_key text,
    ts        bigint NOT NULL,
    PRIMARY KEY (tenant, room_id, pos),
    UNIQUE (tenant, event_id)
);

-- State over time: the event at valid_from was the room's state of that key from there until before valid_to.
CREATE TABLE room.state (
    tenant     int    NOT NULL,
    room_id    text   NOT NULL,
    type       text   NOT NULL,
    state_key  text   NOT NULL,
    valid_from bigint NOT NULL,
    valid_to   bigint NOT NULL DEFAULT 9223372036854775807,
    event_id   text   NOT NULL,
    membership text,
    PRIMARY KEY (tenant, room_id, type, state_key, valid_from)
);
-- the state at a recent position: everything that was not over by then
CREATE INDEX state_by_end ON room.state (tenant, room_id, valid_to);
-- the rooms of a user, now and before
CREATE INDEX state_of_member ON room.state (tenant, state_key, room_id, valid_from) WHERE type = 'm.room.member';

-- What a request with a transaction id was answered, for 24 hours (CONTRACT.md 2.7).
CREATE TABLE room.transaction (
    tenant     int    NOT NULL,
    user_id    text   NOT NULL,
    device_id  text   NOT NULL,
    request    text   NOT NULL,
    txn_id     text   NOT NULL,
    event_id   text   NOT NULL,
    created_ms bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id, request, txn_id)
);
CREATE INDEX transaction_by_age ON room.transaction (created_ms);

-- Rooms that a user wants to hear nothing of any more; joining, an invitation or a knock ends it.
CREATE TABLE room.forgotten (
    tenant  int  NOT NULL,
    user_id text NOT NULL,
    room_id text NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id)
);
