// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

/**
 * A mail to one recipient.
 *
 * @param to an address in canonical form
 * @param html the content of {@code text} as HTML; values from outside are escaped
 */
public record Mail(String to, String subject, String text, String html) {
    @Override
    public String toString() {
        return "Mail"; // without the address and the secret link
    }
}
