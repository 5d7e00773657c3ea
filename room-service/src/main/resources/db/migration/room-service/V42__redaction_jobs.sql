-- Redactions of all messages of a user by an administrator (contract.md 5.3): a row for each room, and one of room '' for the whole job,
-- which a user without rooms has too. Jobs that ended a week ago are deleted with the next job of the tenant.
CREATE TABLE room.redaction_job (
    tenant      int    NOT NULL,
    id          text   NOT NULL,
    room_id     text   NOT NULL,
    user_id     text   NOT NULL,
    redacted_by text   NOT NULL,
    reason      text,
    -- events from this position on are done; the newest events are redacted first
    before_pos  bigint NOT NULL,
    -- how many more events of the room may be redacted
    events_left int    NOT NULL,
    -- errors by event id, as JSON
    failures    text   NOT NULL DEFAULT '{}',
    created_ms  bigint NOT NULL,
    ended_ms    bigint,
    -- the end of a claim; null when the room is done
    due_ms      bigint,
    PRIMARY KEY (tenant, id, room_id)
);
CREATE INDEX redaction_job_due ON room.redaction_job (due_ms) WHERE due_ms IS NOT NULL;
-- by which a purge finds the rows of a room
CREATE INDEX redaction_job_of_room ON room.redaction_job (tenant, room_id);
