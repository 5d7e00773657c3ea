-- What the two logs tell of rooms and users (CONTRACT.md 6). All of it is derived, and may be derived again from the beginning.

-- A row for each room, listed or not.
CREATE TABLE directory.room (
    tenant    int     NOT NULL,
    room_id   text    NOT NULL COLLATE "C",
    published boolean NOT NULL,
    joined    int     NOT NULL,
    -- whether anybody may join, or read without joining: then its members may be found by everybody
    open      boolean NOT NULL,
    -- null for an ordinary room
    room_type text,
    -- JSON by type of state event: which event is in force, and what it says; JSON, because a name may hold U+0000 and text may not
    facts     text    NOT NULL,
    -- name, topic and main alias without case
    search    text    NOT NULL,
    PRIMARY KEY (tenant, room_id)
);

-- the order of the room directory, in which a page begins anywhere
CREATE INDEX room_by_members ON directory.room (tenant, (-joined), room_id) WHERE published;
CREATE INDEX room_search ON directory.room USING gin (tenant, search public.gin_trgm_ops) WHERE published;
CREATE INDEX alias_search ON directory.alias USING gin (tenant, alias public.gin_trgm_ops);

-- Who is in which room, as of now.
CREATE TABLE directory.member (
    tenant  int  NOT NULL,
    room_id text NOT NULL COLLATE "C",
    user_id text NOT NULL COLLATE "C",
    PRIMARY KEY (tenant, room_id, user_id)
);
CREATE INDEX member_rooms ON directory.member (tenant, user_id, room_id);

-- A row for each account, and it stays when the account ends.
CREATE TABLE directory.person (
    tenant    int     NOT NULL,
    user_id   text    NOT NULL COLLATE "C",
    ended     boolean NOT NULL DEFAULT false,
    -- JSON with display_name and avatar_url
    profile   text    NOT NULL DEFAULT '{}',
    -- of the user id, without case
    localpart text    NOT NULL COLLATE "C",
    -- of the display name, without case: a space before each, nothing else between them
    words     text    NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, user_id)
);

CREATE INDEX person_by_localpart ON directory.person (tenant, localpart text_pattern_ops) WHERE NOT ended;
CREATE INDEX person_localpart_search ON directory.person USING gin (tenant, localpart public.gin_trgm_ops) WHERE NOT ended;
CREATE INDEX person_words_search ON directory.person USING gin (tenant, words public.gin_trgm_ops) WHERE NOT ended;

INSERT INTO directory.follow (log, shard, epoch, pos) SELECT 'user-log', generate_series(0, 15), 0, 0;
