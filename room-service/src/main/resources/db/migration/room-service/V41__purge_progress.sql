-- How far the removal of a purged room is (contract.md 5.4).
ALTER TABLE room.purged
    -- when everything was removed; null before, and for rooms removed before this column existed
    ADD COLUMN ended_ms bigint,
    -- the events that are not deleted yet; null until the removal has counted them
    ADD COLUMN events_left bigint;
