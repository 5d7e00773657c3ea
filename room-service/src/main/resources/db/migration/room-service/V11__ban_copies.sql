-- Of an upgrade's bans the first hundred are copied with it, the others by portions: up to this position of the predecessor's log they
-- are; null when all are. Until then whoever is banned in the predecessor is banned in its successor.
ALTER TABLE room.upgrade ADD COLUMN bans_after bigint;

CREATE INDEX upgrade_bans ON room.upgrade (tenant, room_id) WHERE bans_after IS NOT NULL;
