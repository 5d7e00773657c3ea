-- What users reported to the administrators of their tenant: an event, a room or a user. A report goes with its room, and some time after an
-- administrator closed it.
CREATE TABLE room.report (
    tenant     int    NOT NULL,
    id         bigint GENERATED ALWAYS AS IDENTITY,
    reporter   text   NOT NULL,
    reason     text   NOT NULL,
    created_ms bigint NOT NULL,
    -- of an event and of a room
    room_id    text,
    -- the room's name at that time
    room_name  text,
    -- of an event, with its text as it was when it was reported
    event_id   text,
    event      text,
    -- the reported user, or the sender of the reported event
    user_id    text,
    closed_ms  bigint,
    closed_by  text,
    note       text,
    PRIMARY KEY (tenant, id),
    CHECK ((event_id IS NULL) = (event IS NULL)),
    CHECK (room_id IS NOT NULL OR (event_id IS NULL AND room_name IS NULL AND user_id IS NOT NULL)),
    CHECK ((closed_ms IS NULL) = (closed_by IS NULL))
);

-- A user has one open report about the same thing.
CREATE UNIQUE INDEX report_open ON room.report (tenant, reporter, room_id, event_id, user_id) NULLS NOT DISTINCT WHERE closed_ms IS NULL;

CREATE INDEX report_of_reporter ON room.report (tenant, reporter, created_ms);

CREATE INDEX report_of_room ON room.report (tenant, room_id);

CREATE INDEX report_closed ON room.report (closed_ms) WHERE closed_ms IS NOT NULL;
