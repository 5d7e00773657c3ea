-- Of an import of a tenant (design.md 7): 'batch N' for each batch of rows that is stored, and 'base N' with the number that is added to
-- the positions of shard N.
CREATE TABLE admin.import_state (
    tenant int    NOT NULL,
    item   text   NOT NULL,
    value  bigint NOT NULL,
    PRIMARY KEY (tenant, item)
);
