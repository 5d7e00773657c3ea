-- Whether requests with a token are counted for its user and no more for their address (contract.md 5.3).
ALTER TABLE admin.rate_limit ADD COLUMN per_user boolean NOT NULL DEFAULT false;
