-- What pages say about themselves (contract.md 13.4), by the SHA-256 of their addresses, for a day; nothing about who asked. A row that has
-- expired goes with its picture.
CREATE TABLE room.preview (
    tenant     int    NOT NULL,
    url_hash   bytea  NOT NULL,
    -- the answer as JSON; null where the page could not be fetched
    answer     text,
    -- the picture in the answer, a file of the server's own
    media_id   text,
    created_ms bigint NOT NULL,
    expires_ms bigint NOT NULL,
    PRIMARY KEY (tenant, url_hash),
    CHECK (media_id IS NULL OR answer IS NOT NULL)
);

CREATE INDEX preview_expiry ON room.preview (expires_ms);

CREATE INDEX preview_of_tenant ON room.preview (tenant, expires_ms);
