-- Users whose devices or keys changed, and whose rooms' shards are still to be told. A row is deleted when all of them were.
CREATE TABLE room.device_list_change (
    tenant  int    NOT NULL,
    user_id text   NOT NULL,
    -- of the last change in the user log; a later one makes the row one that is not done yet
    epoch   bigint NOT NULL,
    pos     bigint NOT NULL,
    -- when it may be taken; whoever takes it moves this on, so that another one takes it over should they die
    due_ms  bigint NOT NULL,
    PRIMARY KEY (tenant, user_id)
);

CREATE INDEX device_list_change_due ON room.device_list_change (due_ms);
