-- The epoch before each one: the number of a new epoch is the time, so that no restore ever gives a number again.
ALTER TABLE room.epoch ADD previous bigint;
UPDATE room.epoch SET previous = epoch - 1;
ALTER TABLE room.epoch ALTER previous SET NOT NULL;
