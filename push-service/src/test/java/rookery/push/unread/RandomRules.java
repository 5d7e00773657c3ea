// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import rookery.model.id.RoomId;
import rookery.model.id.UserId;
import rookery.model.push.DefaultRules;
import rookery.model.push.PushRule;
import rookery.model.push.RuleId;
import rookery.model.push.RuleKind;
import rookery.model.push.RuleSet;

/** Random push rules, both usual and unusual. */
final class RandomRules {
    private static final List<List<Object>> ACTIONS = List.of(
            List.of(),
            List.of("notify"),
            List.of("dont_notify"),
            List.of("notify", Map.of("set_tweak", "highlight")),
            List.of("notify", Map.of("set_tweak", "sound", "value", "ping")));

    private final Random random;
    private final List<RoomId> rooms;
    private final List<UserId> users;

    RandomRules(Random random, List<RoomId> rooms, List<UserId> users) {
        this.random = random;
        this.rooms = rooms;
        this.users = users;
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    RuleSet next(UserId owner) {
        var rules = RuleSet.NONE;
        for (var kind : RuleKind.values()) {
            var list = new ArrayList<PushRule>();
            if (kind != RuleKind.ROOM && kind != RuleKind.SENDER && random.nextInt(6) == 0) {
                changeDefault(kind, owner, list);
            }
            for (int i = random.nextInt(3) - 1; i > 0; i--) {
                list.add(own(kind, i));
            }
            rules = rules.with(kind, list);
        }
        return rules;
    }

    private void changeDefault(RuleKind kind, UserId owner, List<PushRule> list) {
        var defaults = DefaultRules.of(owner).of(kind);
        if (!defaults.isEmpty()) {
            var rule = oneOf(defaults);
            boolean on = random.nextInt(3) > 0 && !rule.ruleId().value().contains("master");
            list.add(rule.acting(oneOf(ACTIONS)).enabled(on));
        }
    }

    private PushRule own(RuleKind kind, int index) {
        var id = switch (kind) {
            case ROOM -> oneOf(rooms).value();
            case SENDER -> oneOf(users).value();
            default -> "own" + index;
        };
        var conditions = new ArrayList<Map<String, Object>>();
        for (int c = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2); c > 0; c--) {
            conditions.add(condition());
        }
        return new PushRule(
                new RuleId(id),
                false,
                random.nextInt(8) > 0,
                oneOf(ACTIONS),
                kind == RuleKind.OVERRIDE || kind == RuleKind.UNDERRIDE ? conditions : null,
                kind == RuleKind.CONTENT ? oneOf(TwoTenantWorld.WORDS) : null);
    }

    private Map<String, Object> condition() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> match("room_id", oneOf(rooms).value());
            case 2 -> match("content.body", oneOf(TwoTenantWorld.WORDS));
            case 3 -> match("sender", oneOf(users).value());
            case 4 -> match("type", oneOf(List.of("m.room.message", "m.poll")));
            case 5 -> Map.of("kind", "contains_display_name");
            case 6 -> Map.of("kind", "room_member_count", "is", oneOf(List.of("2", ">5", "<=3")));
            default -> match("content.body", oneOf(List.of("c*e", "*", "t?a", "*ea")));
        };
    }

    private static Map<String, Object> match(String key, String pattern) {
        return Map.of("kind", "event_match", "key", key, "pattern", pattern);
    }
}
