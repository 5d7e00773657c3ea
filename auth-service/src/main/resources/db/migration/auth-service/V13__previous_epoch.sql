-- The epoch before each one: the number of a new epoch is the time, so that no restore ever gives a number again.
ALTER TABLE auth.epoch ADD previous bigint;
UPDATE auth.epoch SET previous = epoch - 1;
ALTER TABLE auth.epoch ALTER previous SET NOT NULL;
