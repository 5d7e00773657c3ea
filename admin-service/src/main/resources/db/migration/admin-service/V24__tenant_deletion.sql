-- Tenants that are to be deleted, are being deleted, or were deleted (design.md 7). One instance at a time works on a tenant.
CREATE TABLE admin.tenant_deletion (
    tenant      int    PRIMARY KEY REFERENCES admin.tenant (tenant),
    -- when the deletion begins; until then an operator may resume the tenant
    due_ms      bigint NOT NULL,
    -- when the next portion may be deleted: another instance takes over after this time
    next_ms     bigint NOT NULL,
    -- a pass asks all services; the last pass finds nothing
    pass        int    NOT NULL DEFAULT 1,
    -- the service of the next portion, and the cursor of that service
    service     text   NOT NULL,
    table_name  text   NOT NULL DEFAULT '',
    block       bigint NOT NULL DEFAULT 0,
    -- rows and files, of this pass and of all passes
    pass_count  bigint NOT NULL DEFAULT 0,
    deleted     bigint NOT NULL DEFAULT 0,
    done_ms     bigint
);
CREATE INDEX tenant_deletion_next ON admin.tenant_deletion (next_ms) WHERE done_ms IS NULL;
