// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.JsonNode;

/** Values as the templates show them: {@code show} in every template. */
final class PageTexts {
    static final PageTexts INSTANCE = new PageTexts();

    /** Names of people and rooms may have many thousand characters, and a page fifty of them. */
    private static final int CHARS_MAX = 120;

    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ENGLISH).withZone(ZoneOffset.UTC);
    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB"};
    private static final double STEP = 1000;

    private static final List<String> PAGES = List.of(
            "overview=Overview",
            "users=People",
            "rooms=Rooms",
            "reports=Reports",
            "media=Files",
            "tokens=Tokens",
            "settings=Settings",
            "rate-limits=Rate limits",
            "audit=Audit");

    private static final List<String> PAGES_OF_OPERATORS =
            List.of("tenants=Tenants", "health=Health", "jobs=Jobs", "operators=Operators");

    private PageTexts() {}

    /** The path of the style sheet. */
    public String style() {
        return AssetPages.STYLE.path();
    }

    /** The path of the script. */
    public String script() {
        return AssetPages.SCRIPT.path();
    }

    /** A link of the navigation. */
    record Entry(String path, String title, boolean current) {}

    /** The pages of the console, at a path. */
    public List<Entry> navigation(String at) {
        return navigation(PAGES, at);
    }

    /** The pages of the console of operators, at a path. */
    public List<Entry> navigationOfOperators(String at) {
        return navigation(PAGES_OF_OPERATORS, at);
    }

    private static List<Entry> navigation(List<String> pages, String at) {
        return pages.stream()
                .map(page -> {
                    int end = page.indexOf('=');
                    var path = ConsoleCookie.PATH + "/" + page.substring(0, end);
                    return new Entry(path, page.substring(end + 1), at.equals(path) || at.startsWith(path + "/"));
                })
                .toList();
    }

    /** The choices of a list, as pairs of value and text. */
    public Map<String, String> choices(String... pairs) {
        var choices = new LinkedHashMap<String, String>();
        for (int i = 0; i < pairs.length; i += 2) {
            choices.put(pairs[i], pairs[i + 1]);
        }
        return choices;
    }

    /** All settings by the names of the operators' API (contract.md 20). */
    public Map<String, String> settings(TenantSettings settings) {
        var all = new LinkedHashMap<String, String>();
        settings.json().properties().forEach(entry -> all.put(entry.getKey(), text(entry.getValue())));
        return all;
    }

    /** A value as {@code Setting.parsed} reads it. */
    private static String text(JsonNode value) {
        if (value.isArray()) {
            return value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "));
        }
        return value.isObject() ? value.toString() : value.asString();
    }

    /** A time in UTC; a dash for none. */
    public String time(@Nullable Long millis) {
        return millis == null || millis == 0 ? "–" : MINUTE.format(Instant.ofEpochMilli(millis));
    }

    /** A number of bytes with its unit. */
    public String size(long bytes) {
        double number = bytes;
        int unit = 0;
        while (number >= STEP && unit < UNITS.length - 1) {
            number /= STEP;
            unit++;
        }
        return unit == 0 ? bytes + " bytes" : String.format(Locale.ENGLISH, "%.1f %s", number, UNITS[unit]);
    }

    /** A number with thousands separators. */
    public String number(long value) {
        return String.format(Locale.ENGLISH, "%,d", value);
    }

    /** A text of people, cut to the length of a line; {@code otherwise} for an absent or empty one. */
    public String line(@Nullable String text, String otherwise) {
        if (text == null || text.isBlank()) {
            return otherwise;
        }
        return text.codePointCount(0, text.length()) <= CHARS_MAX
                ? text
                : text.substring(0, text.offsetByCodePoints(0, CHARS_MAX)) + "…";
    }

    /** The page of a user, room, report, token or file. */
    public String path(String kind, String id) {
        return ConsoleCookie.PATH + "/" + kind + "/" + UriUtils.encode(id, StandardCharsets.UTF_8);
    }

    /** A text inside the query of an address. */
    public String query(@Nullable String text) {
        return text == null ? "" : UriUtils.encode(text, StandardCharsets.UTF_8);
    }
}
