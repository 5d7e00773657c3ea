-- Files that users uploaded, by the id in their address mxc://server/id. Their bytes are in the store, once for each tenant and hash.
-- A row goes when nothing was uploaded in time; whatever was uploaded stays.
CREATE TABLE room.media (
    tenant          int     NOT NULL,
    id              text    NOT NULL,
    uploader        text    NOT NULL,
    created_ms      bigint  NOT NULL,
    -- while the id is only reserved: until when something may be uploaded to it
    unused_until_ms bigint,
    -- once something was
    sha256          bytea,
    size            bigint,
    type            text,
    name            text,
    quarantined     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, id),
    CHECK ((sha256 IS NULL) = (unused_until_ms IS NOT NULL)),
    CHECK ((sha256 IS NULL) = (size IS NULL)),
    CHECK ((sha256 IS NULL) = (type IS NULL))
);

CREATE INDEX media_content ON room.media (tenant, sha256);

CREATE INDEX media_reserved ON room.media (tenant, uploader, unused_until_ms) WHERE sha256 IS NULL;

-- What each user has uploaded, and under the empty name what all of a tenant have; counted with the rows above.
CREATE TABLE room.media_usage (
    tenant   int    NOT NULL,
    uploader text   NOT NULL,
    files    bigint NOT NULL,
    bytes    bigint NOT NULL,
    PRIMARY KEY (tenant, uploader)
);

-- Thumbnails that were made, by the content they show; they can be made again.
CREATE TABLE room.media_thumbnail (
    tenant       int    NOT NULL,
    sha256       bytea  NOT NULL,
    -- such as 96x96-crop
    dimensions   text   NOT NULL,
    thumbnail    bytea  NOT NULL,
    size         bigint NOT NULL,
    type         text   NOT NULL,
    PRIMARY KEY (tenant, sha256, dimensions)
);

CREATE INDEX media_thumbnail_content ON room.media_thumbnail (tenant, thumbnail);
