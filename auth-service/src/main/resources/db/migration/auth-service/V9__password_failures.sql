-- Wrong passwords are counted for an account from one network of clients, for an account from all of them (network is ''), and for one
-- address with all accounts (user_id is '', CONTRACT.md 2.6).
ALTER TABLE auth.password_failure ADD COLUMN network text NOT NULL DEFAULT '';
ALTER TABLE auth.password_failure DROP CONSTRAINT password_failure_pkey;
ALTER TABLE auth.password_failure ADD PRIMARY KEY (tenant, user_id, network);

-- From where an account's password was right lately: its owner is let in from there while others guess from elsewhere. Kept for as long
-- as it counts.
CREATE TABLE auth.known_network (
    tenant   int         NOT NULL,
    user_id  text        NOT NULL,
    network  text        NOT NULL,
    -- at most a day behind
    login_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, user_id, network)
);

CREATE INDEX known_network_age ON auth.known_network (login_at);
