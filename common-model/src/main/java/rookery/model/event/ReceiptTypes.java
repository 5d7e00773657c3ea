// SPDX-License-Identifier: Apache-2.0
package rookery.model.event;

/** The types of read receipts (contract.md 11.3). The third read marker, {@code m.fully_read}, is account data of the room. */
public final class ReceiptTypes {
    /** A receipt that all members of the room see. */
    public static final String READ = "m.read";
    /** A receipt that only the user's own devices see. */
    public static final String READ_PRIVATE = "m.read.private";

    /** The thread of events outside of any thread. */
    public static final String MAIN_THREAD = "main";

    private ReceiptTypes() {}
}
