// SPDX-License-Identifier: Apache-2.0
package rookery.platform.push;

import java.math.BigInteger;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One condition of a push rule (contract.md 12.4), compiled for evaluation against many events. */
sealed interface Condition {
    /** Whether the event meets the condition; never throws, whatever the content. */
    boolean holds(PushedEvent event, RoomFacts room, Reader reader);

    /** Compiles a condition; null for a condition that never matches: of an unknown kind, or without a required field. */
    static @Nullable Condition of(@Nullable Map<String, Object> condition) {
        if (condition == null || !(condition.get("kind") instanceof String kind)) {
            return null;
        }
        return switch (kind) {
            case "event_match" -> EventMatch.of(condition);
            case "event_property_is" -> {
                var expected = ExpectedValue.of(condition);
                yield expected == null ? null : new PropertyIs(expected);
            }
            case "event_property_contains" -> {
                var expected = ExpectedValue.of(condition);
                yield expected == null ? null : new PropertyContains(expected);
            }
            case "contains_display_name" -> new ContainsDisplayName();
            case "room_member_count" -> MemberCount.of(condition);
            case "sender_notification_permission" ->
                condition.get("key") instanceof String key ? new SenderMayNotify(key) : null;
            default -> null;
        };
    }

    /** A string of the event matches a pattern; for the body, a part of it between word boundaries. */
    record EventMatch(KeyPath path, Glob pattern) implements Condition {
        static @Nullable EventMatch of(Map<String, Object> condition) {
            return condition.get("key") instanceof String key && condition.get("pattern") instanceof String pattern
                    ? new EventMatch(KeyPath.of(key), Glob.of(pattern))
                    : null;
        }

        boolean isOfBody() {
            return path.equals(PushedEvent.BODY);
        }

        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            var text = event.text(path);
            if (text == null) {
                return false;
            }
            if (!isOfBody()) {
                return pattern.matches(text);
            }
            var term = pattern.term();
            return (term == null || event.mayHold(text, term)) && pattern.matchesWords(text);
        }
    }

    /** A value of the event equals a value. */
    record PropertyIs(ExpectedValue expected) implements Condition {
        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            var value = event.at(expected.path);
            return value != null && expected.is(value);
        }
    }

    /** An array of the event contains a value. */
    record PropertyContains(ExpectedValue expected) implements Condition {
        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            var list = event.at(expected.path);
            return list != null && list.isArray() && list.valueStream().anyMatch(expected::is);
        }
    }

    /** The body contains the reader's display name. */
    record ContainsDisplayName() implements Condition {
        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            var body = event.text(PushedEvent.BODY);
            var name = reader.displayName();
            return body != null
                    && name != null
                    && !name.isEmpty()
                    && Glob.ofText(name).matchesWords(body);
        }
    }

    /** Compares the number of joined members. */
    record MemberCount(String comparison, long members) implements Condition {
        private static final Pattern FORM = Pattern.compile("(==|<=|>=|<|>|)([0-9]{1,100})");
        private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

        static @Nullable MemberCount of(Map<String, Object> condition) {
            if (!(condition.get("is") instanceof String text)) {
                return null;
            }
            var form = FORM.matcher(text);
            return form.matches()
                    ? new MemberCount(
                            form.group(1),
                            new BigInteger(form.group(2)).min(MOST).longValue())
                    : null;
        }

        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            return switch (comparison) {
                case "<" -> room.joined() < members;
                case ">" -> room.joined() > members;
                case "<=" -> room.joined() <= members;
                case ">=" -> room.joined() >= members;
                default -> room.joined() == members;
            };
        }
    }

    /** The sender has the power level for that kind of notification. */
    record SenderMayNotify(String key) implements Condition {
        @Override
        public boolean holds(PushedEvent event, RoomFacts room, Reader reader) {
            return room.senderMay(key);
        }
    }

    /** An expected value at a path: a string, an integer (a Long), a Boolean, or null for JSON's null. */
    record ExpectedValue(KeyPath path, @Nullable Object value) {
        static @Nullable ExpectedValue of(Map<String, Object> condition) {
            if (!(condition.get("key") instanceof String key) || !condition.containsKey("value")) {
                return null;
            }
            var path = KeyPath.of(key);
            return switch (condition.get("value")) {
                case null -> new ExpectedValue(path, null);
                case String text -> new ExpectedValue(path, text);
                case Boolean bool -> new ExpectedValue(path, bool);
                case Integer number -> new ExpectedValue(path, number.longValue());
                case Long number -> new ExpectedValue(path, number);
                default -> null;
            };
        }

        boolean is(JsonNode node) {
            return switch (value) {
                case null -> node.isNull();
                case String text -> node.isString() && text.equals(node.stringValue());
                case Boolean bool -> node.isBoolean() && bool == node.booleanValue();
                case Long number -> node.isIntegralNumber() && node.canConvertToLong() && number == node.longValue();
                default -> false;
            };
        }
    }
}
