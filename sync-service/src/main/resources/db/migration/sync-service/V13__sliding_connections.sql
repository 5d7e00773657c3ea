-- States of the connections of sliding sync (contract.md 10.9): the rooms that a device has received. A state is never changed, only
-- its time of use. Four states of a connection and ten connections of a device at most; they go after 30 days without use, and with
-- the user or the tenant.
CREATE TABLE sync.connection (
    tenant    int    NOT NULL,
    user_id   text   NOT NULL,
    device_id text   NOT NULL,
    conn_id   text   NOT NULL,
    -- in the tokens of the answers that belong to the state
    number    bigint NOT NULL,
    -- the state of the request; 0: a request without pos
    base      bigint NOT NULL,
    state     bytea  NOT NULL,
    used_ms   bigint NOT NULL,
    PRIMARY KEY (tenant, user_id, device_id, conn_id, number)
);
CREATE INDEX connection_by_use ON sync.connection (used_ms);
