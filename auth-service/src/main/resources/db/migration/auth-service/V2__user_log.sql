-- The user log (DESIGN.md 2).

-- One row a shard: lock, counter and fence in one. The epoch is raised by the restore procedure and by nothing else.
CREATE TABLE auth.shard (
    shard int PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 1,
    pos   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 20); -- updated by every batch: leaves room to do so in place

INSERT INTO auth.shard (shard) SELECT generate_series(0, 15);

CREATE TABLE auth.log_entry (
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

-- What the log says by now of each user's account data; one row a type, so it grows with the users only.
CREATE TABLE auth.account_data (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    -- '' for global data
    room_id text   NOT NULL,
    type    text   NOT NULL,
    content text   NOT NULL,
    -- where in the user's shard it was set
    pos     bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id, type),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE INDEX account_data_pos ON auth.account_data (tenant, user_id, pos);
