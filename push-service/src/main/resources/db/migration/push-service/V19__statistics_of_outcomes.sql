-- Units are pending in bursts. Statistics from a quiet moment say that none is, and then PostgreSQL reads all pending units of the tenant for
-- each statement, because any index of pending units seems to be as good as the right one. Without statistics PostgreSQL assumes that
-- one of 200 units is pending, and compares the indexes by their columns. TYPE removes the statistics that exist.
DROP INDEX push.unit_waiting;
ALTER TABLE push.unit ALTER COLUMN outcome SET STATISTICS 0, ALTER COLUMN outcome TYPE text;

-- for DeliveryCleaner alone: other statements do not say IS TRUE, so that they cannot read this index with the units of all tenants
CREATE INDEX unit_waiting ON push.unit (due_at) WHERE (outcome = 'pending') IS TRUE;
