-- Entries that tell receipts are deleted when later ones supersede them. They have a table of their own, so that the log's own table,
-- the largest there is, has no dead rows.
CREATE TABLE room.receipt_entry (LIKE room.log_entry INCLUDING DEFAULTS, PRIMARY KEY (shard, pos));

-- The log as it is told: all entries, in the order of (shard, pos).
CREATE VIEW room.log AS
    SELECT shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body FROM room.log_entry
     UNION ALL
    SELECT shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body FROM room.receipt_entry;
