-- Names that lead to rooms. The primary key decides who gets a name. A row lives until its alias is deleted; one that is only
-- reserved, and whose room was never made, is deleted by the cleaning of reservations.
CREATE TABLE directory.alias (
    tenant         int         NOT NULL,
    alias          text        NOT NULL,
    room_id        text        NOT NULL,
    creator        text        NOT NULL,
    created_at     timestamptz NOT NULL,
    -- until when the name is kept for a room that is just being made; null once the room is known to exist
    reserved_until timestamptz,
    PRIMARY KEY (tenant, alias)
);

CREATE INDEX alias_of_room ON directory.alias (tenant, room_id);
CREATE INDEX alias_reserved ON directory.alias (reserved_until) WHERE reserved_until IS NOT NULL;

-- How far the logs have been followed: a row a shard, and no more. Epoch 0 is before every log, so the first start is a rebuild.
CREATE TABLE directory.follow (
    log   text   NOT NULL,
    shard int    NOT NULL,
    epoch bigint NOT NULL,
    pos   bigint NOT NULL,
    PRIMARY KEY (log, shard)
);

INSERT INTO directory.follow (log, shard, epoch, pos) SELECT 'room-log', generate_series(0, 15), 0, 0;
