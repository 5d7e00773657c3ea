package rookery.gateway.entrance;

import org.springframework.http.HttpHeaders;

/** Lets web pages of any origin call; access needs a token, never a cookie (contract.md 2.1). */
final class Cors {
    private Cors() {}

    static void allow(HttpHeaders answer) {
        answer.set("Access-Control-Allow-Origin", "*");
        answer.set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS");
        answer.set("Access-Control-Allow-Headers", "X-Requested-With, Content-Type, Authorization");
        answer.set("Access-Control-Expose-Headers", "Retry-After");
    }
}
