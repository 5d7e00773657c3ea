-- What the completed stages have shown, sealed like the parameters: one element a stage, beside "completed".
ALTER TABLE auth.uia_session ADD COLUMN proofs text[] NOT NULL DEFAULT '{}';

CREATE INDEX uia_session_user ON auth.uia_session (tenant, user_id) WHERE user_id IS NOT NULL;

-- Registration tokens. Deleted by RegistrationTokens when they have expired or are used up.
CREATE TABLE auth.registration_token (
    tenant       int         NOT NULL,
    -- SHA-256; the token itself is stored nowhere
    token_hash   bytea       NOT NULL,
    -- null: any number
    uses_left    int,
    -- null: never
    expires_at   timestamptz,
    -- whether who registers with it is an administrator
    grants_admin boolean     NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant, token_hash)
);

-- A use that is set aside between the stage and the account. Deleted by RegistrationTokens with the oldest possible session.
CREATE TABLE auth.registration_reservation (
    tenant           int         NOT NULL,
    -- SHA-256 of what is kept with the authentication
    reservation_hash bytea       NOT NULL,
    token_hash       bytea       NOT NULL,
    created_at       timestamptz NOT NULL,
    -- until then the use is nobody else's; afterwards it may still be made if there is one left
    held_until       timestamptz NOT NULL,
    PRIMARY KEY (tenant, reservation_hash),
    FOREIGN KEY (tenant, token_hash) REFERENCES auth.registration_token ON DELETE CASCADE
);

CREATE INDEX registration_reservation_token ON auth.registration_reservation (tenant, token_hash);

-- Tokens that log in once. Deleted by LoginTokens when they have expired.
CREATE TABLE auth.login_token (
    tenant     int         NOT NULL,
    -- SHA-256; the token itself is stored nowhere
    token_hash bytea       NOT NULL,
    user_id    text        NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, token_hash),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE INDEX login_token_user ON auth.login_token (tenant, user_id);
CREATE INDEX login_token_expires ON auth.login_token (expires_at);

-- Where a device was used from; at most a minute behind. The newest 20 of a device, for 28 days: DeviceConnections sees to it.
CREATE TABLE auth.device_connection (
    tenant       int         NOT NULL,
    user_id      text        NOT NULL,
    device_id    text        NOT NULL,
    ip           text        NOT NULL,
    user_agent   text        NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id, ip),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);

CREATE INDEX device_connection_seen ON auth.device_connection (last_seen_at);

-- Users who must leave their rooms because their account has ended. Deleted by DepartureWorker once room-service has done it.
CREATE TABLE auth.departure (
    tenant     int         NOT NULL,
    user_id    text        NOT NULL,
    erase      boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    -- not before: an instance that works on it moves this, and so does a failure
    due_at     timestamptz NOT NULL,
    attempts   int         NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, user_id),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE INDEX departure_due ON auth.departure (due_at);
