-- Keys of devices and users for end-to-end encryption (contract.md 13.5). All contents are canonical JSON, signatures among them, as
-- their owners signed them; what belongs to a device goes with it.

CREATE TABLE auth.device_key (
    tenant    int  NOT NULL,
    user_id   text NOT NULL,
    device_id text NOT NULL,
    content   text NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);

-- Each is given out once. What was given out stays for a week, so that a client that repeats its upload does not offer it again;
-- then OneTimeKeys deletes it.
CREATE TABLE auth.one_time_key (
    tenant     int    NOT NULL,
    user_id    text   NOT NULL,
    device_id  text   NOT NULL,
    algorithm  text   NOT NULL,
    key_id     text   NOT NULL,
    content    text   NOT NULL,
    -- the order of the uploads (a position of the user's shard), and within one
    pos        bigint NOT NULL,
    place      int    NOT NULL,
    claimed_at timestamptz,
    PRIMARY KEY (tenant, user_id, device_id, algorithm, key_id),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);
CREATE INDEX one_time_key_next ON auth.one_time_key (tenant, user_id, device_id, algorithm, pos, place) WHERE claimed_at IS NULL;
CREATE INDEX one_time_key_claimed ON auth.one_time_key (claimed_at) WHERE claimed_at IS NOT NULL;

-- For when there is no one-time key left; given out as often as it is asked for.
CREATE TABLE auth.fallback_key (
    tenant    int     NOT NULL,
    user_id   text    NOT NULL,
    device_id text    NOT NULL,
    algorithm text    NOT NULL,
    key_id    text    NOT NULL,
    content   text    NOT NULL,
    used      boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, user_id, device_id, algorithm),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device ON DELETE CASCADE
);

-- Devices of which others have claimed keys since their user's log told how many there are. No foreign key: whoever claims would wait
-- for who deletes the device, who waits for the claimed key.
CREATE TABLE auth.key_count_due (
    tenant    int  NOT NULL,
    user_id   text NOT NULL,
    device_id text NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id)
);

-- usage: master, self_signing, user_signing
CREATE TABLE auth.cross_signing_key (
    tenant     int  NOT NULL,
    user_id    text NOT NULL,
    usage      text NOT NULL,
    public_key text NOT NULL,
    content    text NOT NULL,
    PRIMARY KEY (tenant, user_id, usage),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

-- Signatures that were uploaded apart from what they sign, and go with it.
CREATE TABLE auth.device_key_signature (
    tenant     int  NOT NULL,
    user_id    text NOT NULL,
    device_id  text NOT NULL,
    -- the key's owner: nobody else signs devices
    signer_key text NOT NULL,
    signature  text NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id, signer_key),
    FOREIGN KEY (tenant, user_id, device_id) REFERENCES auth.device_key ON DELETE CASCADE
);

CREATE TABLE auth.master_key_signature (
    tenant     int  NOT NULL,
    user_id    text NOT NULL,
    usage      text NOT NULL DEFAULT 'master',
    -- the owner itself, by a device, or somebody else, by their user-signing key
    signer     text NOT NULL,
    signer_key text NOT NULL,
    signature  text NOT NULL,
    PRIMARY KEY (tenant, user_id, signer, signer_key),
    FOREIGN KEY (tenant, user_id, usage) REFERENCES auth.cross_signing_key ON DELETE CASCADE
);
CREATE INDEX master_key_signature_of_key ON auth.master_key_signature (tenant, user_id, usage);
