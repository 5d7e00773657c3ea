-- What room-service follows of the user log (DESIGN.md 2).

-- How far the logs have been followed: a row a shard, and no more. Epoch 0 is before every log, so the first start is a rebuild.
CREATE TABLE room.follow (
    log   text   NOT NULL,
    shard int    NOT NULL,
    epoch bigint NOT NULL,
    pos   bigint NOT NULL,
    PRIMARY KEY (log, shard)
);

INSERT INTO room.follow (log, shard, epoch, pos) SELECT 'user-log', generate_series(0, 15), 0, 0;

-- How users are shown by now; a row for everybody who ever changed it, so it grows with the users only.
CREATE TABLE room.profile (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    -- where in the user log it was set: the newer one of two profiles has the later position
    epoch   bigint NOT NULL,
    pos     bigint NOT NULL,
    -- JSON with displayname and avatar_url, because a name may hold U+0000 and text may not
    content text   NOT NULL,
    PRIMARY KEY (tenant, user_id)
);

-- Changed profiles that the rooms do not show yet. A row is deleted when all rooms were seen to.
CREATE TABLE room.profile_spread (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    -- of the change; a later change makes the row one that is not done yet
    epoch   bigint NOT NULL,
    pos     bigint NOT NULL,
    -- when it may be taken; whoever takes it moves this on, so that another one takes it over should they die
    due_ms  bigint NOT NULL,
    PRIMARY KEY (tenant, user_id)
);

CREATE INDEX profile_spread_due ON room.profile_spread (due_ms);

-- Whom each user ignores.
CREATE TABLE room.ignored (
    tenant  int  NOT NULL,
    user_id text NOT NULL,
    ignored text NOT NULL,
    PRIMARY KEY (tenant, user_id, ignored)
);

-- Users who are gone for good: they come into no room any more. A row for each, and it stays.
CREATE TABLE room.departed (
    tenant  int     NOT NULL,
    user_id text    NOT NULL,
    -- whether they wanted their messages hidden from those who come later
    erased  boolean NOT NULL,
    PRIMARY KEY (tenant, user_id)
);
