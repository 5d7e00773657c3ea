-- The events of a tenant by day of UTC, for the limit of a day and for operators' plots (contract.md 20).
CREATE TABLE room.event_day (
    tenant int    NOT NULL,
    day    date   NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (tenant, day)
);
CREATE INDEX ON room.event_day (day);
