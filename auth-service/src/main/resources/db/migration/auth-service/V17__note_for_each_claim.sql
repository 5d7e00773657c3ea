-- A note for each claim, not for each device. A claim that found its device's note there left it at that, and did not lock it: if the
-- note was deleted and the keys were counted before the claim was committed, nobody counted what it had taken.
ALTER TABLE auth.key_count_due DROP CONSTRAINT key_count_due_pkey;
CREATE INDEX key_count_due_device ON auth.key_count_due (tenant, user_id, device_id);
