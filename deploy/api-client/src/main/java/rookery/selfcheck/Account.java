// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

/** An existing account. */
public record Account(String user, String password) {
    @Override
    public String toString() {
        return "Account of " + user; // never the password
    }
}
