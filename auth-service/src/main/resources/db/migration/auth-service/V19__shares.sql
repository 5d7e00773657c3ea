-- How many one-time keys of a device were given to a user on a day (UTC), so that nobody empties the devices of others (contract.md
-- 13.5). Rows of earlier days are deleted by OneTimeKeys. No foreign key, as with auth.key_count_due: a claim waits for no logout.
CREATE TABLE auth.key_claim (
    tenant    int  NOT NULL,
    claimer   text NOT NULL,
    user_id   text NOT NULL,
    device_id text NOT NULL,
    day       date NOT NULL,
    claims    int  NOT NULL,
    PRIMARY KEY (tenant, claimer, user_id, device_id, day)
);
CREATE INDEX key_claim_of_day ON auth.key_claim (day);

-- Whose a waiting message is and how much room it takes, for the limits of a device and of one sender to it. The second line of a body
-- says the sender; quotes within it are escaped, so that no other field looks like that.
ALTER TABLE auth.to_device_entry
    ADD sender text GENERATED ALWAYS AS (substring(split_part(body, E'\n', 2) FROM '"sender":"([^"]*)"')) STORED,
    ADD bytes  int  GENERATED ALWAYS AS (octet_length(body)) STORED;

-- The shares are read of each message under the lock of the shard: from the index alone.
DROP INDEX auth.to_device_entry_of_device;
CREATE INDEX to_device_entry_of_device
    ON auth.to_device_entry (tenant, subject, device_id, pos) INCLUDE (sender, bytes, shard);

-- Of the sessions of a backup together, for the limit of all backups of a user.
ALTER TABLE auth.key_backup ADD bytes bigint NOT NULL DEFAULT 0;
UPDATE auth.key_backup b
   SET bytes = (SELECT coalesce(sum(octet_length(s.session_data)), 0) FROM auth.key_backup_session s
                 WHERE s.tenant = b.tenant AND s.user_id = b.user_id AND s.version = b.version)
 WHERE b.sessions > 0;
