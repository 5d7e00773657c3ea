-- 64 shards (DESIGN.md 12, Shards).
INSERT INTO directory.follow (log, shard, epoch, pos)
SELECT log, shard, 0, 0 FROM (VALUES ('user-log'), ('room-log')) AS l (log), generate_series(16, 63) AS s (shard);
