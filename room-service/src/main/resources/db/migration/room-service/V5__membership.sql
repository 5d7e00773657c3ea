-- Rooms that were upgraded, and those that took their place (CONTRACT.md 8.4). A room is upgraded once; the row goes with either
-- of the two rooms.
CREATE TABLE room.upgrade (
    tenant      int    NOT NULL,
    predecessor text   NOT NULL,
    room_id     text   NOT NULL,
    upgraded_by text   NOT NULL,
    created_ms  bigint NOT NULL,
    PRIMARY KEY (tenant, predecessor),
    UNIQUE (tenant, room_id)
);

-- Users who have joined the successor of a room, and whose tags, push rule and direct chats are still to be carried over.
-- A row is deleted when that is done.
CREATE TABLE room.carry_over (
    tenant      int    NOT NULL,
    user_id     text   NOT NULL,
    room_id     text   NOT NULL,
    predecessor text   NOT NULL,
    -- when it may be taken; whoever takes it moves this on, so that another one takes it over should they die
    due_ms      bigint NOT NULL,
    attempts    int    NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, user_id, room_id)
);

CREATE INDEX carry_over_due ON room.carry_over (due_ms);

-- the rooms that nobody is in or invited to
CREATE INDEX room_empty ON room.room (tenant, room_id) WHERE joined = 0 AND invited = 0;
