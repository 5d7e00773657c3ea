-- Operators beside the one of rookery.admin.operator.token (contract.md 20). Not of a tenant. Deleted when an operator is revoked.
CREATE TABLE admin.operator_credential (
    name       text   PRIMARY KEY,
    -- SHA-256; the token itself is stored nowhere
    token_hash bytea  NOT NULL UNIQUE,
    -- whether the operator may change something
    writes     boolean NOT NULL,
    created_ms bigint NOT NULL,
    -- the operator who made this one
    created_by text   NOT NULL
);
