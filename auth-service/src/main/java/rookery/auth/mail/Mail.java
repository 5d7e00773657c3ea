package rookery.auth.mail;

/**
 * A mail to one person.
 *
 * @param to an address in canonical form
 * @param html the same as {@code text} for those who read HTML; what came from outside is escaped in it
 */
public record Mail(String to, String subject, String text, String html) {
    @Override
    public String toString() {
        return "Mail"; // it holds an address and a secret link
    }
}
