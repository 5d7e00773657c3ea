-- The log as it is told (see the room log, which has two tables of entries).
CREATE VIEW auth.log AS SELECT * FROM auth.log_entry;
