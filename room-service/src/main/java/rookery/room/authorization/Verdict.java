// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

/** The outcome of the authorization rules for one event. */
public sealed interface Verdict {
    record Allowed() implements Verdict {}

    record Denied(String reason) implements Verdict {}
}
