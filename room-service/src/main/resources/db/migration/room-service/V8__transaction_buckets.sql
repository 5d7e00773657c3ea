-- Transaction ids live for 24 hours and are written with every message: what is over is dropped by the bucket, not row by row.
-- A bucket takes 12 hours; there are four of them in turns, and the next one is emptied long before its turn
-- (TransactionBuckets in room-service says when). So no partition is ever missing, and none is made while people chat.
ALTER TABLE room.transaction RENAME TO transaction_before;
ALTER TABLE room.transaction_before DROP CONSTRAINT transaction_pkey;
DROP INDEX room.transaction_by_age;

CREATE TABLE room.transaction (
    tenant     int      NOT NULL,
    user_id    text     NOT NULL,
    device_id  text     NOT NULL,
    request    text     NOT NULL,
    txn_id     text     NOT NULL,
    event_id   text     NOT NULL,
    -- created_ms / 12 hours modulo 4
    bucket     smallint NOT NULL,
    created_ms bigint   NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id, request, txn_id, bucket)
) PARTITION BY LIST (bucket);

CREATE TABLE room.transaction_0 PARTITION OF room.transaction FOR VALUES IN (0);
CREATE TABLE room.transaction_1 PARTITION OF room.transaction FOR VALUES IN (1);
CREATE TABLE room.transaction_2 PARTITION OF room.transaction FOR VALUES IN (2);
CREATE TABLE room.transaction_3 PARTITION OF room.transaction FOR VALUES IN (3);

INSERT INTO room.transaction (tenant, user_id, device_id, request, txn_id, event_id, bucket, created_ms)
SELECT tenant, user_id, device_id, request, txn_id, event_id, (created_ms / 43200000 % 4)::smallint, created_ms
  FROM room.transaction_before;

DROP TABLE room.transaction_before;

-- For which turn each bucket has been emptied, so that several instances do it once.
CREATE TABLE room.transaction_bucket (
    bucket      smallint PRIMARY KEY,
    emptied_for bigint   NOT NULL
);

INSERT INTO room.transaction_bucket (bucket, emptied_for) SELECT generate_series(0, 3), 0;
