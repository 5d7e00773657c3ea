// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import rookery.e2e.api.Http;

/**
 * Provides the two users of a check: newly registered, or logged in with given accounts.
 *
 * @param tokens zero to two registration tokens; a single token serves both users
 * @param accounts two, or none to register new users
 */
record People(Http http, PatientClock clock, List<String> tokens, List<Account> accounts) {
    People {
        tokens = List.copyOf(tokens);
        accounts = List.copyOf(accounts);
    }

    boolean areNew() {
        return accounts.isEmpty();
    }

    /**
     * Registers the user, or logs in with the given account.
     *
     * @param name of the role, with which the name of a new user begins
     * @param number index of the account and of the token
     */
    Person person(String name, int number) throws IOException {
        if (!areNew()) {
            var account = accounts.get(number);
            var proof = Person.passwordOf(account.user(), account.password());
            var login = http.call("POST", "/v3/login", null, proof).ok();
            return new Person(name, account.password(), Person.session(http, login), clock);
        }
        var token = tokens.isEmpty() ? null : tokens.get(Math.min(number, tokens.size() - 1));
        var unique = name + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
        var password = "correct horse " + new SecureRandom().nextLong();
        return new Person(name, password, new Registration(http, token).register(unique, password), clock);
    }
}
