-- the changes of devices and keys that a user is told of
CREATE INDEX log_entry_of_keys ON auth.log_entry (tenant, subject, pos) WHERE kind = 'device_keys';
