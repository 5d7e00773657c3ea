-- The addresses of accounts; an address belongs to one account of a tenant.
CREATE TABLE auth.threepid (
    tenant       int         NOT NULL,
    -- email or msisdn
    medium       text        NOT NULL,
    -- canonical, as CONTRACT.md 7.1 says
    address      text        NOT NULL,
    user_id      text        NOT NULL,
    validated_at timestamptz NOT NULL,
    added_at     timestamptz NOT NULL,
    -- whether others of the tenant may find the account by it
    bound        boolean     NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, medium, address),
    FOREIGN KEY (tenant, user_id) REFERENCES auth.account
);

CREATE INDEX threepid_user ON auth.threepid (tenant, user_id);
