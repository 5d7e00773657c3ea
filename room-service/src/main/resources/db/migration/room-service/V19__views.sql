-- What most readers ask of the tables state, event and log_entry, with names of its own. PostgreSQL puts the text of such a view into the
-- query that names it, so each plan is that of the table.

-- the state of a room now; pos is where its event stands
CREATE VIEW room.current_state AS
    SELECT tenant, room_id, type, state_key, valid_from AS pos, membership
      FROM room.state
     WHERE valid_to = 9223372036854775807;

-- what the state of a room says now of each user it ever spoke of
CREATE VIEW room.current_member AS
    SELECT tenant, room_id, state_key AS user_id, pos, membership
      FROM room.current_state
     WHERE type = 'm.room.member';

-- what it said of each user from valid_from until before valid_to
CREATE VIEW room.member_history AS
    SELECT tenant, room_id, state_key AS user_id, valid_from, valid_to, membership
      FROM room.state
     WHERE type = 'm.room.member';

-- the rooms of a user now, and those it was invited to, knocked at, left or is banned from; rooms that are being purged are none
CREATE VIEW room.room_of_user AS
    SELECT m.tenant, m.user_id, m.room_id, m.pos, m.membership
      FROM room.current_member m
      JOIN room.room r ON r.tenant = m.tenant AND r.room_id = m.room_id;

-- the text of an entry that is no receipt
CREATE VIEW room.entry_body AS
    SELECT shard, pos, tenant, body FROM room.log_entry;

-- the events of a room with their text
CREATE VIEW room.event_text AS
    SELECT e.tenant, e.room_id, e.pos, e.event_id, e.sender, l.body
      FROM room.event e
      JOIN room.entry_body l ON l.shard = e.shard AND l.pos = e.pos;

-- the events that were not redacted: only these relate to others
CREATE VIEW room.unredacted_event AS
    SELECT tenant, room_id, pos, shard, event_id, type, sender, state_key, ts, rel_type, parent, rel_key
      FROM room.event
     WHERE redacted IS NULL;
