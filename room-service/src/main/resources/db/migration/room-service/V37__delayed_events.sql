-- Events that the server sends later. An event without finished_ms is scheduled. A finished one with event_id was sent, with error refused,
-- and otherwise cancelled.
CREATE TABLE room.delayed_event (
    tenant      int      NOT NULL,
    -- secret: the id suffices to send, restart and cancel the event
    delay_id    text     NOT NULL,
    -- the order of events that are due at the same time
    number      bigint   GENERATED ALWAYS AS IDENTITY,
    user_id     text     NOT NULL,
    device_id   text     NOT NULL,
    room_id     text     NOT NULL,
    shard       int      NOT NULL,
    type        text     NOT NULL,
    state_key   text,
    content     text     NOT NULL,
    delay_ms    bigint   NOT NULL,
    due_ms      bigint   NOT NULL,
    finished_ms bigint,
    event_id    text,
    error       text,
    PRIMARY KEY (tenant, delay_id)
);

CREATE INDEX delayed_event_due ON room.delayed_event (due_ms, number) WHERE finished_ms IS NULL;

CREATE INDEX delayed_event_of_user ON room.delayed_event (tenant, user_id, due_ms, number);

CREATE INDEX delayed_event_of_room ON room.delayed_event (tenant, room_id);

CREATE INDEX delayed_event_finished ON room.delayed_event (finished_ms) WHERE finished_ms IS NOT NULL;
