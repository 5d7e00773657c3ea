-- How many bytes the state of a room has now, without its members: content, type and state key of each piece. So no room's state grows
-- without bound, and the readers of many rooms know how much that is. Where the event holds an escape such as U+0000, which json's
-- operators refuse, the whole event counts.
ALTER TABLE room.room ADD COLUMN state_bytes bigint NOT NULL DEFAULT 0;

UPDATE room.room r
   SET state_bytes = coalesce((
       SELECT sum(CASE WHEN l.event ~ '\\u(0000|[dD][89a-fA-F])' THEN octet_length(l.event)
                       ELSE octet_length((l.event::json -> 'content')::text) END
                  + octet_length(s.type) + octet_length(s.state_key))
         FROM room.current_state s
         JOIN LATERAL (SELECT split_part(b.body, chr(10), 2) AS event
                         FROM room.entry_body b
                        WHERE b.shard = r.shard AND b.pos = s.pos) l ON true
        WHERE s.tenant = r.tenant AND s.room_id = r.room_id AND s.type <> 'm.room.member'), 0);
