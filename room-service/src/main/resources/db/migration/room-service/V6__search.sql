-- Events by time (CONTRACT.md 8.1, timestamp_to_event); clocks go back at times, so the order of positions is another one.
CREATE INDEX event_by_time ON room.event (tenant, room_id, ts, pos);

-- The words of messages, names and topics (CONTRACT.md 13.7). A row goes when its event is redacted or its room purged.
CREATE TABLE room.search (
    tenant  int      NOT NULL,
    room_id text     NOT NULL,
    pos     bigint   NOT NULL,
    shard   int      NOT NULL,
    -- what the words were in: 1 content.body, 2 content.name, 3 content.topic
    key     smallint NOT NULL,
    -- whether the content has a url (filter contains_url)
    url     boolean  NOT NULL,
    sender  text     NOT NULL,
    ts      bigint   NOT NULL,
    -- besides the words one for the tenant and one for the room, so that the index alone leads to a few rooms' rows
    words   tsvector NOT NULL,
    PRIMARY KEY (tenant, room_id, pos)
);
-- a short list of what is not in the index yet: appending rarely waits for it to be worked in, and never for long
CREATE INDEX search_by_word ON room.search USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 512);
