-- Where in a room's shard its members' devices or keys were changed last: one row for a member, which goes with the room.
CREATE TABLE room.device_list (
    tenant  int    NOT NULL,
    room_id text   NOT NULL,
    user_id text   NOT NULL,
    pos     bigint NOT NULL,
    PRIMARY KEY (tenant, room_id, user_id)
);
-- what changed in a room since a position
CREATE INDEX device_list_by_pos ON room.device_list (tenant, room_id, pos);

-- who came, went, or is shown otherwise since a position
CREATE INDEX state_of_members_since ON room.state (tenant, room_id, valid_from) WHERE type = 'm.room.member';
