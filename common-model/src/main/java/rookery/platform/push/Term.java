package rookery.platform.push;

/**
 * What an index of rules goes by: something that a rule wants of an event, and that an event has.
 *
 * @param value as the field has it; compared as it is
 */
public record Term(Field field, String value) {
    /** Where in the event the value stands; those that fewer events share are first. */
    public enum Field {
        /** room id, without case */
        ROOM,
        /** the sender's id, without case */
        SENDER,
        /** a user whom {@code m.mentions} names */
        MENTION,
        /** a word of the body without case, or, of other scripts than Latin, one to three characters of it */
        WORD,
        /** the event's type, without case */
        TYPE
    }
}
