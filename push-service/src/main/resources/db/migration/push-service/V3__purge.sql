-- By which the removal of a purged room finds its rows (CONTRACT.md 5.4).
CREATE INDEX member_past_of_room ON push.member_past (tenant, room_id);
CREATE INDEX read_position_of_room ON push.read_position (tenant, room_id);
CREATE INDEX unit_in_room ON push.unit (tenant, room_id) WHERE outcome <> 'pending';
