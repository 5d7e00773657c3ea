-- Messages to devices: entries of the user log in a table of their own, which are deleted once the device has them, with the device,
-- and the oldest beyond 10,000 of a device (contract.md 13.5). The first line of a body is the device.
CREATE TABLE auth.to_device_entry (
    LIKE auth.log_entry INCLUDING DEFAULTS,
    device_id text NOT NULL GENERATED ALWAYS AS (split_part(body, E'\n', 1)) STORED,
    PRIMARY KEY (shard, pos)
);
CREATE INDEX to_device_entry_of_device ON auth.to_device_entry (tenant, subject, device_id, pos);

-- The log as it is told: all entries, in the order of (shard, pos).
CREATE OR REPLACE VIEW auth.log AS
    SELECT shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body FROM auth.log_entry
     UNION ALL
    SELECT shard, pos, kind, unit_end, tenant, room_id, subject, created_ms, body FROM auth.to_device_entry;

-- Which requests have reached whom; '' for everybody. Deleted by ToDeviceTransactions after 24 hours (contract.md 2.7).
CREATE TABLE auth.to_device_transaction (
    tenant     int         NOT NULL,
    recipient  text        NOT NULL,
    -- SHA-256 of sender, device, type and transaction id
    request    bytea       NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, recipient, request)
);
CREATE INDEX to_device_transaction_age ON auth.to_device_transaction (created_at);
