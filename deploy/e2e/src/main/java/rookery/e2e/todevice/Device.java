package rookery.e2e.todevice;

import rookery.e2e.api.Session;

/** A device that sends and is sent messages. */
record Device(Session session) {
    /** Itself with its user, which no other device of any tenant is called. */
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
