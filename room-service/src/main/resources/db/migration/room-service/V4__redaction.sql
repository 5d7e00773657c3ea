-- What redactions took away (CONTRACT.md 9.6), and what is kept so that threads and relations are read quickly (9.7).

-- The bodies of redacted events as they were. A row lives for as long as originals are kept, and is erased then.
CREATE TABLE room.original (
    tenant      int    NOT NULL,
    event_id    text   NOT NULL,
    room_id     text   NOT NULL,
    body        text   NOT NULL,
    redacted_ms bigint NOT NULL,
    PRIMARY KEY (tenant, event_id)
);
CREATE INDEX original_by_age ON room.original (redacted_ms);

-- What relates to an event: a redacted one does not any more.
DROP INDEX room.event_by_parent;
CREATE INDEX event_by_parent ON room.event (tenant, parent, pos) INCLUDE (sender)
    WHERE parent IS NOT NULL AND redacted IS NULL;
CREATE INDEX event_by_relation ON room.event (tenant, parent, rel_type, pos) INCLUDE (sender)
    WHERE parent IS NOT NULL AND redacted IS NULL;
-- the newest edit by its sender; names of types are at most 255 bytes, so they fit an index
CREATE INDEX event_edit ON room.event (tenant, parent, sender, type, ts, event_id COLLATE "C")
    WHERE rel_type = 'm.replace' AND redacted IS NULL AND state_key IS NULL;
-- a key is as long as its sender likes, so the index has its hash
CREATE INDEX event_annotation ON room.event (tenant, parent, sender, md5(rel_key))
    WHERE rel_type = 'm.annotation' AND redacted IS NULL AND rel_key IS NOT NULL;

-- The threads of a room by their newest reply that is not redacted: no more rows than events, and none for a thread without replies.
CREATE TABLE room.thread (
    tenant  int    NOT NULL,
    room_id text   NOT NULL,
    root    text   NOT NULL,
    latest  bigint NOT NULL,
    PRIMARY KEY (tenant, room_id, root)
);
CREATE INDEX thread_by_latest ON room.thread (tenant, room_id, latest);

-- Who replied how often in a thread, redacted replies aside; a row goes with the last reply.
CREATE TABLE room.thread_sender (
    tenant  int    NOT NULL,
    room_id text   NOT NULL,
    root    text   NOT NULL,
    sender  text   NOT NULL,
    replies int    NOT NULL,
    PRIMARY KEY (tenant, room_id, root, sender)
);

INSERT INTO room.thread (tenant, room_id, root, latest)
SELECT tenant, room_id, parent, max(pos) FROM room.event
 WHERE rel_type = 'm.thread' AND parent IS NOT NULL AND redacted IS NULL GROUP BY tenant, room_id, parent;

INSERT INTO room.thread_sender (tenant, room_id, root, sender, replies)
SELECT tenant, room_id, parent, sender, count(*) FROM room.event
 WHERE rel_type = 'm.thread' AND parent IS NOT NULL AND redacted IS NULL GROUP BY tenant, room_id, parent, sender;
