-- How a log shows that the database has lost commits (DESIGN.md 12, Lost commits).

-- Each batch has a random number. The numbers tell who stands at a position whether the log still holds what they had read there.
CREATE TABLE auth.batch (
    shard      int    NOT NULL,
    last_pos   bigint NOT NULL,
    number     bigint NOT NULL,
    created_ms bigint NOT NULL,
    PRIMARY KEY (shard, last_pos)
);
CREATE INDEX batch_by_age ON auth.batch USING brin (created_ms);

-- Of the last batch; 0 before the first.
ALTER TABLE auth.shard ADD number bigint NOT NULL DEFAULT 0;
ALTER TABLE auth.log_entry DROP COLUMN batch;

-- Where each epoch but the first began: up to there the epochs before it hold.
CREATE TABLE auth.epoch (
    epoch    bigint NOT NULL,
    shard    int    NOT NULL,
    began_at bigint NOT NULL,
    PRIMARY KEY (epoch, shard)
);

-- The database that the epoch is of, in one row: its identifier, and its timeline, which changes when a standby is promoted.
CREATE TABLE auth.origin (
    system   bigint NOT NULL,
    timeline text   NOT NULL
);
INSERT INTO auth.origin
SELECT system_identifier, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system();
