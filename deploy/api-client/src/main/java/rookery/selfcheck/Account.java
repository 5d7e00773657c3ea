package rookery.selfcheck;

/** An account that there is. */
public record Account(String user, String password) {
    @Override
    public String toString() {
        return "Account of " + user; // never the password
    }
}
