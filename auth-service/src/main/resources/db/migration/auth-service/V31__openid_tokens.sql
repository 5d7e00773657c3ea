-- Tokens by which users prove to others who they are (contract.md 13.10), as hashes. They go with their device, and when they have run
-- out: OpenIdTokens deletes them.
CREATE TABLE auth.openid_token (
    tenant     int         NOT NULL,
    token_hash bytea       NOT NULL,
    user_id    text        NOT NULL,
    device_id  text        NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, token_hash),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);
CREATE INDEX openid_token_of_device ON auth.openid_token (tenant, user_id, device_id, expires_at);
CREATE INDEX openid_token_expiry ON auth.openid_token (expires_at);
