package rookery.model.event;

/** How users say what they have read (contract.md 11.3); the third way, {@code m.fully_read}, is account data of the room. */
public final class ReceiptTypes {
    /** Shown to everybody in the room. */
    public static final String READ = "m.read";
    /** Shown to the user's own devices only. */
    public static final String READ_PRIVATE = "m.read.private";

    /** The thread of what is in none. */
    public static final String MAIN_THREAD = "main";

    private ReceiptTypes() {}
}
