-- Edits that replace nothing (contract.md 9.7): they are no state and not encrypted, and their content lacks m.new_content. They stay
-- among the relations of the event, and are never bundled with it.
ALTER TABLE room.event ADD COLUMN invalid_edit boolean NOT NULL DEFAULT false;

-- Where an event holds an escape such as U+0000, which json's operators refuse, its canonical text is searched.
UPDATE room.event e
   SET invalid_edit = true
  FROM room.entry_body b, LATERAL (SELECT split_part(b.body, chr(10), 2) AS event) l
 WHERE e.rel_type = 'm.replace' AND e.parent IS NOT NULL AND e.type <> 'm.room.encrypted'
   AND b.shard = e.shard AND b.pos = e.pos
   AND NOT CASE WHEN l.event ~ '\\u(0000|[dD][89a-fA-F])' THEN strpos(l.event, '"m.new_content":{') > 0
                ELSE coalesce(json_typeof(l.event::json -> 'content' -> 'm.new_content') = 'object', false) END;

CREATE OR REPLACE VIEW room.unredacted_event AS
    SELECT tenant, room_id, pos, shard, event_id, type, sender, state_key, ts, rel_type, parent, rel_key, invalid_edit
      FROM room.event
     WHERE redacted IS NULL;

-- invalid edits are passed by without being read, however many there are
DROP INDEX room.event_edit;
CREATE INDEX event_valid_edit ON room.event (tenant, parent, sender, type, ts, event_id COLLATE "C")
    WHERE rel_type = 'm.replace' AND redacted IS NULL AND state_key IS NULL AND NOT invalid_edit;
