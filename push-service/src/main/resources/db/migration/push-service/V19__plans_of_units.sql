-- Units are pending in bursts. Statistics from a quiet moment say that none is, and then PostgreSQL read all pending units of the tenant for
-- each statement, because any index of pending units seemed to be as good as the right one. Without statistics PostgreSQL assumes
-- that one of 200 units is pending, and compares the indexes by their columns. TYPE removes the statistics that exist.
-- No index begins with the tenant, which most statements name: so each statement fits one index alone, also while the table is new.
DROP INDEX push.unit_due, push.unit_waiting, push.unit_of_pusher, push.unit_of_user, push.unit_of_room, push.unit_of_event, push.unit_in_room;
ALTER TABLE push.unit ALTER COLUMN outcome SET STATISTICS 0, ALTER COLUMN outcome TYPE text;
CREATE INDEX unit_due ON push.unit (gateway, tenant, due_at, id) WHERE outcome = 'pending';
CREATE INDEX unit_of_pusher ON push.unit (pusher, room_id) WHERE outcome = 'pending';
CREATE INDEX unit_of_user ON push.unit (user_id, tenant, room_id, pos) WHERE outcome = 'pending';
CREATE INDEX unit_of_event ON push.unit (event_id, tenant) WHERE outcome = 'pending';

-- for DeliveryCleaner alone: other statements do not say IS FALSE, so that they cannot read this index with the units of all tenants
CREATE INDEX unit_waiting ON push.unit (due_at) WHERE (outcome <> 'pending') IS FALSE;

-- for the removal of a purged room, whose statement says room_id <> '': it read the whole table, because it names no outcome
CREATE INDEX unit_in_room ON push.unit (room_id, tenant) WHERE room_id <> '';
