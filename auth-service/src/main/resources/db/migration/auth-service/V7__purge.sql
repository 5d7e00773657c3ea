-- By which the removal of a purged room finds its rows (CONTRACT.md 5.4).
CREATE INDEX account_data_of_room ON auth.account_data (tenant, room_id) WHERE room_id <> '';
CREATE INDEX log_entry_of_room ON auth.log_entry (tenant, room_id) WHERE room_id <> '';
