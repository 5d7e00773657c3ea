-- Events of tenants that wait for their max_pushes_per_second: one row instead of a unit for each pusher, until the units can be sent.
-- An event with more than 1,000 users has several rows. Deleted with the creation of the units, or after a day.
CREATE TABLE push.deferred_event (
    tenant     int         NOT NULL,
    id         bigint      GENERATED ALWAYS AS IDENTITY,
    event_id   text        NOT NULL,
    room_id    text        NOT NULL,
    pos        bigint      NOT NULL,
    thread     text,
    -- origin_server_ts, in ms since the epoch
    ts         bigint      NOT NULL,
    told       text        NOT NULL,
    -- the users to notify, and for each of them the columns of push.unit
    users      text[]      NOT NULL,
    tweaks     text[]      NOT NULL,
    targets    boolean[]   NOT NULL,
    coalesces  boolean[]   NOT NULL,
    -- of the arrays, so that a look at the oldest rows does not read them
    recipients int         NOT NULL,
    coalescing boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- The tenant is not the first column, see V19.
CREATE INDEX deferred_event_of_event ON push.deferred_event (event_id, tenant);
CREATE INDEX deferred_event_in_room ON push.deferred_event (room_id, tenant);
CREATE INDEX deferred_event_age ON push.deferred_event (created_at);
