-- Whether the address may stand in for the account's password: not if it was added by a session alone, whose token may be stolen
-- (CONTRACT.md 7.4, 19.4).
ALTER TABLE auth.threepid ADD COLUMN recovers boolean NOT NULL DEFAULT true;

-- When the session of the device began with the account's password, if it did.
ALTER TABLE auth.device ADD COLUMN password_at timestamptz;
