-- False from a registration in the mode approval until an administrator approves the account (contract.md 3.3). Such an account has no
-- session, and others do not see the user.
ALTER TABLE auth.account ADD COLUMN approved boolean NOT NULL DEFAULT true;
CREATE INDEX account_pending ON auth.account (tenant, user_id) WHERE NOT approved;
