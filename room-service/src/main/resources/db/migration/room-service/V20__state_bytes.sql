-- How many bytes the state of a room has now, without its members: content, type and state key of each piece. So no room's state grows
-- without bound, and who reads many rooms knows how much that is.
ALTER TABLE room.room ADD COLUMN state_bytes bigint NOT NULL DEFAULT 0;

UPDATE room.room r
   SET state_bytes = coalesce((
       SELECT sum(octet_length((split_part(l.body, chr(10), 2)::json -> 'content')::text)
                  + octet_length(s.type) + octet_length(s.state_key))
         FROM room.current_state s
         JOIN room.entry_body l ON l.shard = r.shard AND l.pos = s.pos
        WHERE s.tenant = r.tenant AND s.room_id = r.room_id AND s.type <> 'm.room.member'), 0);
