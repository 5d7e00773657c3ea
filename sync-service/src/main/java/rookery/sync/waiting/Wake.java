// SPDX-License-Identifier: Apache-2.0
package rookery.sync.waiting;

/** The reason why a waiting request continues. */
public enum Wake {
    /** A change may concern the request: look again. */
    NEWS,
    /** The query's timeout is over. */
    TIMEOUT,
    /** The session has ended: answer M_UNKNOWN_TOKEN. */
    SESSION_ENDED,
    /** The account is locked: answer M_USER_LOCKED. */
    SESSION_LOCKED,
    /** An operator has suspended the tenant: answer M_USER_SUSPENDED. */
    TENANT_SUSPENDED,
    /** This node stops: answer with the present content; the client's next request goes to another node. */
    SHUTDOWN;

    /** Whether the reason applies to all later waits of the request. */
    boolean isFinal() {
        return this == SESSION_ENDED || this == SESSION_LOCKED || this == TENANT_SUSPENDED || this == SHUTDOWN;
    }
}
