-- Where in the user's shard the displayname or avatar was last changed; no row: never since the account was made. Beside the
-- fields, because a field that is unset has no row. It tells room-service which of two profiles is the newer one.
CREATE TABLE auth.profile_version (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    pos     bigint NOT NULL,
    PRIMARY KEY (tenant, user_id),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);
