-- Without statistics PostgreSQL assumes that one of 200 delayed events is scheduled. With statistics from a moment without scheduled events,
-- all scheduled events are read to find one by its id. TYPE removes the statistics that exist.
ALTER TABLE room.delayed_event ALTER COLUMN finished_ms SET STATISTICS 0, ALTER COLUMN finished_ms TYPE bigint;
