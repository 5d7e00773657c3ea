-- What counts for whom (DESIGN.md 5). Most members share a verdict with many others, their cohort: an event that notifies it is
-- one row however many they are, with a running number, so that what somebody has not read is the difference of two numbers.

-- What the user log told of users who are not like everybody. A row goes with its account.
CREATE TABLE push.reader (
    tenant      int     NOT NULL,
    user_id     text    NOT NULL,
    -- the content of m.push_rules, and where in the user log it was set; null and 0 for default rules
    rules       text,
    rules_epoch bigint  NOT NULL DEFAULT 0,
    rules_pos   bigint  NOT NULL DEFAULT 0,
    -- whether there is anywhere to push to
    pushers     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, user_id)
);

-- By which events the user's own rules are found: keys of words, senders and mentioned users. Replaced with the rules.
CREATE TABLE push.rule_term (
    tenant  int    NOT NULL,
    term    bigint NOT NULL,
    user_id text   NOT NULL,
    PRIMARY KEY (tenant, term, user_id)
);

CREATE INDEX rule_term_of_user ON push.rule_term (tenant, user_id);

-- Whom users ignore. Replaced with the list; goes with the account.
CREATE TABLE push.ignored (
    tenant  int  NOT NULL,
    user_id text NOT NULL,
    ignored text NOT NULL,
    PRIMARY KEY (tenant, user_id, ignored)
);

-- What rules say to everything that nobody is found by: a row for each such answer. The id is a hash of the text, 0 of the
-- untouched default rules. Deleted by the cleaning when nobody has it.
CREATE TABLE push.cohort (
    tenant int    NOT NULL,
    id     bigint NOT NULL,
    rules  text   NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- Joined members. A row goes when its user leaves.
CREATE TABLE push.member (
    tenant       int     NOT NULL,
    room_id      text    NOT NULL,
    user_id      text    NOT NULL,
    shard        int     NOT NULL,
    joined_pos   bigint  NOT NULL,
    display_name text,
    cohort       bigint  NOT NULL,
    -- since which position that is the cohort; the join, or a change of rules
    cohort_from  bigint  NOT NULL,
    -- whether the user must be asked about every event
    always       boolean NOT NULL,
    pushers      boolean NOT NULL,
    PRIMARY KEY (tenant, room_id, user_id)
);

CREATE INDEX member_of_user ON push.member (tenant, user_id);
CREATE INDEX member_always ON push.member (tenant, room_id) WHERE always;
CREATE INDEX member_pushers ON push.member (tenant, room_id, cohort) WHERE pushers;

-- Which cohorts are in a room, and how many members of it each has. A row goes with the last of them.
CREATE TABLE push.room_cohort (
    tenant  int    NOT NULL,
    room_id text   NOT NULL,
    cohort  bigint NOT NULL,
    members int    NOT NULL,
    PRIMARY KEY (tenant, room_id, cohort)
);

CREATE INDEX room_cohort_of_cohort ON push.room_cohort (tenant, cohort);

-- Cohorts that a member was in before, after one position and up to another. Rows go when nothing in between is unread, at the
-- latest when the rules are changed once more, and when the user leaves.
CREATE TABLE push.member_past (
    tenant   int    NOT NULL,
    room_id  text   NOT NULL,
    user_id  text   NOT NULL,
    cohort   bigint NOT NULL,
    from_pos bigint NOT NULL,
    upto_pos bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id, upto_pos)
);

-- An event that notifies a cohort, with the running numbers of the room's thread: notifying ones, and those that highlight. Lives
-- as long as the room's log.
CREATE TABLE push.noted (
    tenant    int     NOT NULL,
    room_id   text    NOT NULL,
    pos       bigint  NOT NULL,
    -- the root, or "main"
    thread    text    NOT NULL,
    cohort    bigint  NOT NULL,
    event_id  text    NOT NULL,
    sender    text    NOT NULL,
    ts        bigint  NOT NULL,
    actions   text    NOT NULL,
    n         bigint  NOT NULL,
    h         bigint  NOT NULL,
    highlight boolean NOT NULL,
    -- redacted since
    withdrawn boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, room_id, cohort, thread, pos)
);

CREATE INDEX noted_at ON push.noted (tenant, room_id, pos);
CREATE INDEX noted_from ON push.noted (tenant, room_id, sender, pos);
CREATE INDEX noted_withdrawn ON push.noted (tenant, room_id, cohort, thread, pos) WHERE withdrawn;

-- The newest of these, by thread and cohort.
CREATE TABLE push.thread_head (
    tenant  int    NOT NULL,
    room_id text   NOT NULL,
    cohort  bigint NOT NULL,
    thread  text   NOT NULL,
    pos     bigint NOT NULL,
    n       bigint NOT NULL,
    h       bigint NOT NULL,
    PRIMARY KEY (tenant, room_id, cohort, thread)
);

CREATE INDEX thread_head_at ON push.thread_head (tenant, room_id, cohort, pos);

-- An event about which somebody was told something else than their cohort. Rows go when the user joins or leaves, when the event
-- is redacted, and by age where they are read.
CREATE TABLE push.exception (
    tenant    int      NOT NULL,
    user_id   text     NOT NULL,
    room_id   text     NOT NULL,
    pos       bigint   NOT NULL,
    shard     int      NOT NULL,
    thread    text     NOT NULL,
    event_id  text     NOT NULL,
    sender    text     NOT NULL,
    ts        bigint   NOT NULL,
    actions   text     NOT NULL,
    -- what the user is told, and how many more that is than the cohort was
    notify    boolean  NOT NULL,
    highlight boolean  NOT NULL,
    n_delta   int      NOT NULL,
    h_delta   int      NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id, pos)
);

CREATE INDEX exception_at ON push.exception (tenant, room_id, pos);
CREATE INDEX exception_ts ON push.exception (ts);

-- How far users have read, by receipts and by what they sent themselves; the thread "" stands for all of the room. Rows go when
-- the user joins or leaves, and those of threads when all of the room is read beyond them.
CREATE TABLE push.read_position (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    room_id text   NOT NULL,
    thread  text   NOT NULL,
    pos     bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, room_id, thread)
);

-- How rooms are called, for pushes, and which events say so. A row lives as long as its room's log.
CREATE TABLE push.room (
    tenant    int    NOT NULL,
    room_id   text   NOT NULL,
    name      text,
    name_pos  bigint NOT NULL DEFAULT 0,
    alias     text,
    alias_pos bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, room_id)
);

-- How far the logs have been followed: a row a shard, and no more. Epoch 0 is before every log, so the first start is a rebuild.
CREATE TABLE push.follow (
    log   text   NOT NULL,
    shard int    NOT NULL,
    epoch bigint NOT NULL,
    pos   bigint NOT NULL,
    PRIMARY KEY (log, shard)
);

INSERT INTO push.follow (log, shard, epoch, pos) SELECT 'room-log', generate_series(0, 15), 0, 0;
INSERT INTO push.follow (log, shard, epoch, pos) SELECT 'user-log', generate_series(0, 15), 0, 0;
