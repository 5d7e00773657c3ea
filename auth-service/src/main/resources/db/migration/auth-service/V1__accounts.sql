-- Every table that holds tenants' data has the tenant in its key. Times are the service's clock, not the database's.

CREATE TABLE auth.account (
    tenant        int         NOT NULL,
    user_id       text        NOT NULL,
    -- Argon2id with its parameters; null: nobody logs in with a password
    password_hash text,
    admin         boolean     NOT NULL DEFAULT false,
    blocked       boolean     NOT NULL DEFAULT false,
    -- final, and the row stays: a name is never given away again
    deactivated   boolean     NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant, user_id)
);

-- A profile is its fields; what is unset has no row.
CREATE TABLE auth.profile_field (
    tenant  int  NOT NULL,
    user_id text NOT NULL,
    name    text NOT NULL,
    -- JSON, because a name may hold U+0000 and text may not
    value   text NOT NULL,
    PRIMARY KEY (tenant, user_id, name),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE TABLE auth.device (
    tenant       int         NOT NULL,
    user_id      text        NOT NULL,
    device_id    text        NOT NULL,
    -- JSON string, as in profile_field
    display_name text,
    created_at   timestamptz NOT NULL,
    -- at most a minute behind
    last_seen_at timestamptz,
    last_seen_ip text,
    PRIMARY KEY (tenant, user_id, device_id),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

-- One row an access token, with the refresh token that was given out beside it. Gone with the device.
CREATE TABLE auth.access_token (
    -- SHA-256; the token itself is stored nowhere
    token_hash      bytea       PRIMARY KEY,
    tenant          int         NOT NULL,
    user_id         text        NOT NULL,
    device_id       text        NOT NULL,
    created_at      timestamptz NOT NULL,
    -- null: until it is revoked
    expires_at      timestamptz,
    refresh_hash    bytea       UNIQUE,
    refresh_expires_at timestamptz,
    -- set when it was refreshed: the access token is refused from then on, its refresh token once the successor was used
    successor_hash  bytea,
    -- first use of a token that can be refreshed
    used_at         timestamptz,
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);

CREATE INDEX access_token_device ON auth.access_token (tenant, user_id, device_id);
-- rotated pairs are deleted by AccessTokens a week after their successor was used
CREATE INDEX access_token_rotated ON auth.access_token (successor_hash) WHERE successor_hash IS NOT NULL;

-- Steps of user-interactive authentication. Deleted by UiaSessions an hour after the last use, a day after the first.
CREATE TABLE auth.uia_session (
    tenant       int         NOT NULL,
    -- SHA-256 of the session id, which opens the parameters and is stored nowhere
    session_hash bytea       NOT NULL,
    operation    text        NOT NULL,
    user_id      text,
    device_id    text,
    -- the request's fields, sealed: there may be a password among them
    parameters   bytea       NOT NULL,
    completed    text[]      NOT NULL DEFAULT '{}',
    -- one element a failure: the stage
    failed       text[]      NOT NULL DEFAULT '{}',
    created_at   timestamptz NOT NULL,
    used_at      timestamptz NOT NULL,
    -- set once the operation has run; it runs once
    consumed_at  timestamptz,
    result_user   text,
    result_device text,
    PRIMARY KEY (tenant, session_hash)
);

CREATE INDEX uia_session_used ON auth.uia_session (used_at);

-- Failed password checks of the running window. Deleted by PasswordFailures when the window is over.
CREATE TABLE auth.password_failure (
    tenant     int         NOT NULL,
    -- also of users who do not exist: the answer must not tell
    user_id    text        NOT NULL,
    since      timestamptz NOT NULL,
    failures   int         NOT NULL,
    PRIMARY KEY (tenant, user_id)
);

CREATE INDEX password_failure_since ON auth.password_failure (since);
