// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import java.io.ByteArrayOutputStream;
import rookery.platform.http.AnswerReservation;

/** The bytes of an answer. Memory is reserved before bytes are written; small answers reserve nothing. */
public final class ReservedBytes extends ByteArrayOutputStream {
    private static final int FREE_BYTES = 16 * 1024;
    private static final int STEP_BYTES = 32 * 1024;
    /** The buffer, and the copy for the socket. */
    private static final int COPIES = 2;

    private final AnswerReservation reservation;
    private final boolean inParts;
    private final long before;
    private int reserved = FREE_BYTES;

    /** @param inParts whether the answer is written in parts, which cannot be divided further */
    public ReservedBytes(int expected, AnswerReservation reservation, boolean inParts) {
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
