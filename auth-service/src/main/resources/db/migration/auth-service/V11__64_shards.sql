-- 64 shards (DESIGN.md 12, Shards). Users of before live elsewhere.
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM auth.shard WHERE pos > 0) THEN
        RAISE EXCEPTION 'the users in this database were written by Rookery 0.1, whose shards are others, and cannot be taken over: '
                        'start with an empty database or data folder';
    END IF;
END
$$;

INSERT INTO auth.shard (shard, epoch) SELECT n, (SELECT max(epoch) FROM auth.shard) FROM generate_series(16, 63) n;
