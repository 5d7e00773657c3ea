-- Who did what to whom (CONTRACT.md 5). Written before the act, so that none is missing; deleted by AuditRecords when it is old.
CREATE TABLE admin.audit_record (
    id         uuid        PRIMARY KEY,
    tenant     int         NOT NULL,
    actor      text        NOT NULL,
    -- such as block
    action     text        NOT NULL,
    -- the user or room it was about
    target     text,
    ip         text        NOT NULL,
    request_id text        NOT NULL,
    at         timestamptz NOT NULL,
    -- HTTP status of the answer; null: it never came to one, and nobody knows here whether it was done
    status     int
);

CREATE INDEX audit_record_at ON admin.audit_record (at);
CREATE INDEX audit_record_target ON admin.audit_record (tenant, target, at);
