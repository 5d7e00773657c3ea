package rookery.program;

/** Why a program cannot do what it was asked: one line that says what to do, and the exit value. */
public final class Complaint extends RuntimeException {
    /** The command line is wrong. */
    public static final int USAGE = 2;

    /** The command line is right, and yet it does not work. */
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
