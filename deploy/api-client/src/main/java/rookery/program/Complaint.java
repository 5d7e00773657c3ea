// SPDX-License-Identifier: Apache-2.0
package rookery.program;

/** The reason why a program cannot do its work: one line with the remedy, and the exit value. */
public final class Complaint extends RuntimeException {
    /** Exit value for a wrong command line. */
    public static final int USAGE = 2;

    /** Exit value for a correct command line whose work failed. */
    public static final int FAILURE = 1;

    private final int exitValue;

    private Complaint(int exitValue, String line) {
        super(line);
        this.exitValue = exitValue;
    }

    public static Complaint usage(String line) {
        return new Complaint(USAGE, line);
    }

    public static Complaint failure(String line) {
        return new Complaint(FAILURE, line);
    }

    public int exitValue() {
        return exitValue;
    }
}
