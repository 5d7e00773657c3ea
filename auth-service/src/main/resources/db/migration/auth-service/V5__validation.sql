-- Proofs that somebody reads what is sent to an address (CONTRACT.md 7). Deleted by Validations a day after they ran out.
CREATE TABLE auth.validation (
    tenant          int         NOT NULL,
    sid             text        NOT NULL,
    medium          text        NOT NULL,
    -- canonical, as in threepid
    address         text        NOT NULL,
    -- register, account or password
    purpose         text        NOT NULL,
    -- keyed hashes, here and below: the secrets themselves are stored nowhere
    secret_hash     bytea       NOT NULL,
    -- hexadecimal, the newest first: links of earlier mails stay good, of codes only the newest is
    token_hashes    text[]      NOT NULL DEFAULT '{}',
    token_at        timestamptz,
    -- wrong guesses of the newest code
    tries           int         NOT NULL DEFAULT 0,
    next_link       text,
    -- the last send_attempt whose message has left
    sent_attempt    bigint      NOT NULL DEFAULT 0,
    -- whose message is on its way, so that nobody sends it a second time; forgotten when it takes too long
    claimed_attempt bigint,
    claimed_at      timestamptz,
    created_at      timestamptz NOT NULL,
    validated_at    timestamptz,
    used_at         timestamptz,
    PRIMARY KEY (tenant, sid),
    UNIQUE (tenant, medium, address, purpose, secret_hash)
);

CREATE INDEX validation_created ON auth.validation (created_at);

-- Messages sent to each address in the running window. Deleted by Sendings when the window is over.
CREATE TABLE auth.sending (
    tenant   int         NOT NULL,
    medium   text        NOT NULL,
    address  text        NOT NULL,
    since    timestamptz NOT NULL,
    messages int         NOT NULL,
    PRIMARY KEY (tenant, medium, address)
);

CREATE INDEX sending_since ON auth.sending (since);
