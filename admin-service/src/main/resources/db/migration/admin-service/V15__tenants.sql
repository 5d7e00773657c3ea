-- The registry of tenants (design.md 7). Numbers and names of deleted tenants stay in admin.tenant_name.
CREATE TABLE admin.tenant (
    tenant       int    PRIMARY KEY,
    server_name  text   NOT NULL UNIQUE,
    -- active or suspended
    state        text   NOT NULL,
    -- JSON: TenantSettings
    settings     text   NOT NULL,
    created_ms   bigint NOT NULL,
    -- the Idempotency-Key of the request that created the tenant
    creation_key text
);

-- The hosts that lead to a tenant, its server name included.
CREATE TABLE admin.tenant_host (
    host   text PRIMARY KEY,
    tenant int  NOT NULL REFERENCES admin.tenant (tenant)
);
CREATE INDEX tenant_host_tenant ON admin.tenant_host (tenant);

-- Each change of a tenant raises the version, and locks this row first.
CREATE TABLE admin.registry (
    id      int    PRIMARY KEY CHECK (id = 1),
    version bigint NOT NULL
);
INSERT INTO admin.registry (id, version) VALUES (1, 0);
