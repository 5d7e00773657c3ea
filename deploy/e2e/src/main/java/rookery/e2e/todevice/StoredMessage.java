// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

/** A message in the database; a request writes one for each target. */
record StoredMessage(String device, String tag, long pos) {}
