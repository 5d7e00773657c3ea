-- The limits that administrators have set (CONTRACT.md 5.3): a row for a tenant at most, changed in place. No row: the configured one.
CREATE TABLE admin.rate_limit (
    tenant         int         PRIMARY KEY,
    enabled        boolean     NOT NULL,
    max_requests   int         NOT NULL,
    window_seconds int         NOT NULL,
    -- networks that are not counted
    exempt_ips     text[]      NOT NULL,
    updated_at     timestamptz NOT NULL,
    updated_by     text        NOT NULL
);
