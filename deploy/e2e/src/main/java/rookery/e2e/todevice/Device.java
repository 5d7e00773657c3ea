// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.todevice;

import rookery.e2e.api.Session;

/** A device that sends and receives messages. */
record Device(Session session) {
    /** User id and device id, unique across tenants. */
    String name() {
        return name(session.userId(), session.deviceId());
    }

    static String name(String userId, String deviceId) {
        return userId + " " + deviceId;
    }

    String userId() {
        return session.userId();
    }

    String deviceId() {
        return session.deviceId();
    }
}
