package rookery.e2e.todevice;

/** A message that was written for a device, past all services: one is written once for each of its targets. */
record StoredMessage(String device, String tag, long pos) {}
