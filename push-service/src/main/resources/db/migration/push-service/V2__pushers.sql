-- What users' clients want to be told of, and where. The key decides who has a pushkey; a row lives until its pusher is deleted,
-- its device or account ends, or its gateway rejects it.
CREATE TABLE push.pusher (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant          int         NOT NULL,
    user_id         text        NOT NULL,
    app_id          text        NOT NULL,
    pushkey         text        NOT NULL,
    device_id       text        NOT NULL,
    url             text        NOT NULL,
    -- scheme, host and port of the url: what fails together
    gateway         text        NOT NULL,
    -- the rest as the client set it, JSON text: names may hold U+0000, which text columns cannot
    described       text        NOT NULL,
    -- events before it are not pushed; setting a pusher again does not move it
    created_at      timestamptz NOT NULL,
    -- when the pushkey was last set
    set_at          timestamptz NOT NULL,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    failing_since   timestamptz,
    UNIQUE (tenant, user_id, app_id, pushkey)
);

CREATE INDEX pusher_of_key ON push.pusher (tenant, app_id, pushkey);

-- Users whose accounts are blocked, or were: events between the two are never pushed. The row of one who is paused lives as long
-- as that, that of one who is not a day longer, since no event older than a day is pushed.
CREATE TABLE push.pause (
    tenant     int  NOT NULL,
    user_id    text NOT NULL,
    resumed_at timestamptz,
    PRIMARY KEY (tenant, user_id)
);

CREATE INDEX pause_over ON push.pause (resumed_at) WHERE resumed_at IS NOT NULL;

-- What a push says of its event, once for all who are told. Deleted two days after the event was pushed first.
CREATE TABLE push.pushed_event (
    tenant     int         NOT NULL,
    event_id   text        NOT NULL,
    room_id    text        NOT NULL,
    -- the part of the notification that is the same for everybody, JSON text
    told       text        NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, event_id)
);

CREATE INDEX pushed_event_age ON push.pushed_event (created_at);

-- One event for one pusher: the queue while it is pending, the summary of what became of it afterwards. Deleted 30 days after it
-- was made. It outlives its pusher, and so does not refer to it.
CREATE TABLE push.unit (
    id               bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant           int         NOT NULL,
    pusher           bigint      NOT NULL,
    event_id         text        NOT NULL,
    room_id          text        NOT NULL,
    pos              bigint      NOT NULL,
    -- the root of the thread that the event is in, null for none
    thread           text,
    user_id          text        NOT NULL,
    app_id           text        NOT NULL,
    pushkey_hash     text        NOT NULL,
    gateway          text        NOT NULL,
    -- the rule's tweaks, a JSON object
    tweaks           text        NOT NULL,
    user_is_target   boolean     NOT NULL,
    coalesces        boolean     NOT NULL,
    created_at       timestamptz NOT NULL,
    outcome          text        NOT NULL DEFAULT 'pending'
        CHECK (outcome IN ('pending', 'delivered', 'rejected', 'failed', 'superseded')),
    -- begun ones: an attempt is counted before it is made, so that a crash in between cannot lead to a fourth
    attempts         int         NOT NULL DEFAULT 0,
    -- the next attempt; while one is made, the one after it
    due_at           timestamptz NOT NULL,
    last_attempt_at  timestamptz,
    -- of the last answer; null when there was none
    last_status      int
);

-- An event is pushed once to a pusher, also when the log is followed from its beginning again.
CREATE UNIQUE INDEX unit_once ON push.unit (pusher, event_id);
CREATE INDEX unit_age ON push.unit (created_at);
CREATE INDEX unit_due ON push.unit (tenant, gateway, due_at, id) WHERE outcome = 'pending';
CREATE INDEX unit_waiting ON push.unit (due_at) WHERE outcome = 'pending';
CREATE INDEX unit_of_pusher ON push.unit (pusher, room_id) WHERE outcome = 'pending';
CREATE INDEX unit_of_user ON push.unit (tenant, user_id, room_id, pos) WHERE outcome = 'pending';
CREATE INDEX unit_of_event ON push.unit (tenant, event_id) WHERE outcome = 'pending';
