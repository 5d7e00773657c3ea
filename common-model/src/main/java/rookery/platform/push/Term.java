// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

/**
 * A key of an index of rules: a value that a rule requires and an event has.
 *
 * @param value the value of the field; compared exactly
 */
public record Term(Field field, String value) {
    /** The field of the event, the most selective first. */
    public enum Field {
        /** The room id, case-folded. */
        ROOM,
        /** The sender's id, case-folded. */
        SENDER,
        /** A user in {@code m.mentions}. */
        MENTION,
        /** A case-folded word of the body, or one to three characters of a script other than Latin. */
        WORD,
        /** The event type, case-folded. */
        TYPE
    }
}
