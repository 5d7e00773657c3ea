-- The last version of the registry of tenants (design.md 7): the service starts from it while admin-service is away.
CREATE TABLE sync.tenant_copy (
    id      int  PRIMARY KEY CHECK (id = 1),
    tenants text NOT NULL
);
