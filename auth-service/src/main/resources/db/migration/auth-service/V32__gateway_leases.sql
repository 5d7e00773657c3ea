-- The leases under which gateways keep sessions in memory (design.md 12, Token leases). GatewayLeases deletes the rows.
CREATE TABLE auth.gateway_lease (
    lease_id    text        PRIMARY KEY,
    address     text        NOT NULL, -- of the gateway, host:port
    lease_until timestamptz NOT NULL,
    broken      boolean     NOT NULL DEFAULT false, -- is never renewed again
    silent_at   timestamptz -- when a broken lease had ended without a confirmation of its gateway
) WITH (fillfactor = 50);
