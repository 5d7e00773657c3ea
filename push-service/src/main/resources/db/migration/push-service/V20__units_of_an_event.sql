-- The units of an event are inserted together. An index that begins with the pusher has them on a page each: it was the largest index of
-- the table, and most of its pages were written for each message. With the event in front it also finds the units of an event.
CREATE UNIQUE INDEX unit_of_event_once ON push.unit (event_id, pusher);
DROP INDEX push.unit_once, push.unit_of_event;
