-- Rooms that an administrator purged (CONTRACT.md 5.4). The row stays: the id is never used again.
CREATE TABLE room.purged (
    tenant    int    NOT NULL,
    room_id   text   NOT NULL,
    shard     int    NOT NULL,
    epoch     bigint NOT NULL,
    -- of the log entry that tells it
    pos       bigint NOT NULL,
    -- the administrator who asked
    purged_by text   NOT NULL,
    purged_ms bigint NOT NULL,
    -- when the removal goes on; whoever takes it moves this on, so that another one takes it over should they die; null when
    -- everything is removed
    due_ms    bigint,
    PRIMARY KEY (tenant, room_id)
);
CREATE INDEX purged_due ON room.purged (due_ms) WHERE due_ms IS NOT NULL;

-- Who was in the room, invited or knocking when it was purged: each of their devices is told once.
CREATE TABLE room.purged_member (
    tenant  int  NOT NULL,
    user_id text NOT NULL,
    room_id text NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id)
);

-- By which the removal finds what has no index on the room.
CREATE INDEX forgotten_of_room ON room.forgotten (tenant, room_id);
CREATE INDEX carry_over_of_room ON room.carry_over (tenant, room_id);
CREATE INDEX carry_over_of_predecessor ON room.carry_over (tenant, predecessor);
CREATE INDEX log_entry_listing ON room.log_entry (tenant, room_id) WHERE kind = 'listing';
