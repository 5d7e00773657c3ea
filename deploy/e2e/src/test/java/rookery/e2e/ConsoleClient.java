// SPDX-License-Identifier: Apache-2.0
package rookery.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import rookery.e2e.api.Answer;
import rookery.e2e.api.Http;
import rookery.e2e.api.TenantAddress;
import rookery.e2e.running.Rookery;

/** The requests of a browser in the console, and those that no honest browser sends. */
final class ConsoleClient implements AutoCloseable {
    static final String CONSOLE = "/_rookery/console";

    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"form_token\" value=\"([0-9a-f]{64})\"");

    private final Http http;
    private final String origin;
    private @Nullable String cookie;

    ConsoleClient(Rookery rookery, String tenant) {
        this(rookery.site(tenant).withPrefix(""), Http.to(rookery.site(tenant).withPrefix("")));
    }

    private ConsoleClient(TenantAddress site, Http http) {
        this.http = http;
        this.origin = "http://" + site.host();
    }

    /** A browser at a gateway of the cluster; the first gateway is number 1. */
    static ConsoleClient at(Rookery rookery, int gateway) {
        var site = rookery.site("localhost", gateway).withPrefix("");
        return new ConsoleClient(site, Http.to(site));
    }

    /** A browser at an address of this machine, whose failed attempts do not count for 127.0.0.1. */
    static ConsoleClient from(InetAddress address, Rookery rookery) {
        var site = rookery.site().withPrefix("");
        return new ConsoleClient(site, Http.to(site, address));
    }

    /** Signs in with the password of every session of the tests; the answer may be a refusal. */
    Answer signIn(String user) throws IOException {
        return signIn(user, Steps.PASSWORD, "");
    }

    Answer signIn(String user, String password, String next) throws IOException {
        var answer = post("/sign-in", Map.of("user", user, "password", password, "next", next), Map.of());
        answer.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
        return answer;
    }

    Answer get(String path) throws IOException {
        return http.raw("GET", CONSOLE + path, headers(Map.of()), "");
    }

    /** Fills in the form of a page, with the hidden field of its session, and sends it. */
    Answer act(String page, String action, Map<String, String> fields) throws IOException {
        var all = new HashMap<>(fields);
        all.put("form_token", formToken(page));
        return post(action, all, Map.of());
    }

    String formToken(String page) throws IOException {
        var found = FORM_TOKEN.matcher(get(page).text());
        if (!found.find()) {
            throw new IllegalStateException("no form in " + page);
        }
        return found.group(1);
    }

    /** Sends fields, with headers that replace those of an honest browser. */
    Answer post(String action, Map<String, String> fields, Map<String, String> others) throws IOException {
        var headers = new HashMap<>(Map.of("Origin", origin, "Content-Type", "application/x-www-form-urlencoded"));
        headers.putAll(others);
        var body = fields.entrySet().stream()
                .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                .collect(Collectors.joining("&"));
        return http.raw("POST", CONSOLE + action, headers(headers), body);
    }

    private Map<String, String> headers(Map<String, String> more) {
        var headers = new HashMap<>(more);
        if (cookie != null) {
            headers.put("Cookie", cookie);
        }
        return headers;
    }

    /** The cookie of the session, as a thief would have it. */
    String cookie() {
        return Objects.requireNonNull(cookie, "not signed in");
    }

    void cookie(String stolen) {
        cookie = stolen;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.close();
    }
}
