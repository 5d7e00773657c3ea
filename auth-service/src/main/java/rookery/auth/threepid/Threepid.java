package rookery.auth.threepid;

/**
 * A third-party identifier.
 *
 * @param address in its canonical form (contract.md 7.1), so that equal ones are equal
 */
public record Threepid(Medium medium, String address) {
    @Override
    public String toString() {
        return medium.text; // an address is nobody's business in a log
    }
}
