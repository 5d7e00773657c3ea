-- What events relate to (CONTRACT.md 9.7), which thread they are in, and which were redacted (9.6).
ALTER TABLE room.event
    -- null where the event relates to nothing, or to nothing that was in the room
    ADD COLUMN rel_type text,
    ADD COLUMN parent   text,
    -- of an annotation; the code point U+0000, which no text holds, as \0, and a backslash as \\
    ADD COLUMN rel_key  text,
    -- the root of the thread that the event is in; null in the main timeline, where the root itself is
    ADD COLUMN thread   text,
    -- where the first redaction of this event stands
    ADD COLUMN redacted bigint;

CREATE INDEX event_by_parent ON room.event (tenant, parent, pos) WHERE parent IS NOT NULL;
