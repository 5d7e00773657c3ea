// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.entrance;

import org.springframework.http.HttpHeaders;

/** Allows web pages of any origin: access requires a token, never a cookie (contract.md 2.1). */
final class Cors {
    private Cors() {}

    static void allow(HttpHeaders answer) {
        answer.set("Access-Control-Allow-Origin", "*");
        answer.set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS");
        answer.set("Access-Control-Allow-Headers", "X-Requested-With, Content-Type, Authorization");
        answer.set("Access-Control-Expose-Headers", "Retry-After");
    }
}
