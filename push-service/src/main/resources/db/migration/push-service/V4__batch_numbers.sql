-- The batch that holds the position, by which lost commits show (DESIGN.md 12, Lost commits); 0 if it is not known.
ALTER TABLE push.follow ADD number bigint NOT NULL DEFAULT 0;
