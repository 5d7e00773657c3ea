-- Files that users uploaded, by the id in their address mxc://server/id. Their bytes are in the store, once for each tenant and hash.
-- A row goes when nothing was uploaded in time, with the last event that names it if that is redacted, and when an administrator says so.
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
    -- hidden by an administrator, with all files of the same content
    quarantined     boolean NOT NULL DEFAULT false,
    -- whether its uploader named it in an event that was redacted: it goes once no other event names it
    retracted       boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, id),
    CHECK ((sha256 IS NULL) = (unused_until_ms IS NOT NULL)),
    CHECK ((sha256 IS NULL) = (size IS NULL)),
    CHECK ((sha256 IS NULL) = (type IS NULL))
);

CREATE INDEX media_content ON room.media (tenant, sha256);

CREATE INDEX media_by_age ON room.media (tenant, created_ms, id) WHERE sha256 IS NOT NULL;

CREATE INDEX media_by_uploader ON room.media (tenant, uploader, created_ms, id) WHERE sha256 IS NOT NULL;

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

-- When each content was last put into the store, noted before it is there; rows of long ago go.
CREATE TABLE room.media_put (
    tenant int    NOT NULL,
    sha256 bytea  NOT NULL,
    put_ms bigint NOT NULL,
    PRIMARY KEY (tenant, sha256)
);

-- Which events name which files of their own server. A row of a redacted event goes when its time has come.
CREATE TABLE room.media_reference (
    tenant      int    NOT NULL,
    room_id     text   NOT NULL,
    pos         bigint NOT NULL,
    media_id    text   NOT NULL,
    sender      text   NOT NULL,
    redacted_ms bigint,
    PRIMARY KEY (tenant, room_id, pos, media_id)
);

CREATE INDEX media_reference_of ON room.media_reference (tenant, media_id);

CREATE INDEX media_reference_redacted ON room.media_reference (redacted_ms) WHERE redacted_ms IS NOT NULL;

-- The file that a user shows as their avatar, if it is one of their server.
ALTER TABLE room.profile ADD COLUMN avatar_media text;

CREATE INDEX profile_avatar ON room.profile (tenant, avatar_media) WHERE avatar_media IS NOT NULL;
