package rookery.sync.answer;

import java.io.ByteArrayOutputStream;
import rookery.platform.http.AnswerReservation;

/** Bytes of an answer, for which memory is reserved before they are written. Usual answers are small and reserve nothing. */
final class ReservedBytes extends ByteArrayOutputStream {
    private static final int FREE_BYTES = 16 * 1024;
    private static final int STEP_BYTES = 32 * 1024;
    /** The bytes, and the copy that goes to the socket. */
    private static final int COPIES = 2;

    private final AnswerReservation reservation;
    private final boolean inParts;
    private final long before;
    private int reserved = FREE_BYTES;

    /**
     * No bytes yet.
     *
     * @param reservation with what was read for the answer in it already
     * @param inParts whether the answer is written in parts, none of which can be made smaller
     */
    ReservedBytes(int expected, AnswerReservation reservation, boolean inParts) {
        super(expected);
        this.reservation = reservation;
        this.inParts = inParts;
        this.before = reservation.bytes();
    }

    @Override
    public synchronized void write(int one) {
        reserve(1);
        super.write(one);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        reserve(length);
        super.write(bytes, from, length);
    }

    private void reserve(int more) {
        if (count + more > reserved) {
            reserved = count + more + STEP_BYTES;
            long bytes = before + (long) COPIES * reserved;
            if (inParts) {
                reservation.atLeastOfPart(bytes);
            } else {
                reservation.atLeast(bytes);
            }
        }
    }
}
