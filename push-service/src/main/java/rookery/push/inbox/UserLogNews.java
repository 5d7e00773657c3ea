package rookery.push.inbox;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.event.AccountDataTypes;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.model.topic.UserLogRecord.SessionEnded;
import rookery.model.topic.UserLogRecord.SessionLocked;
import rookery.platform.log.Derivation;
import rookery.platform.log.UserLogText;
import rookery.push.count.UserChanges;
import rookery.push.count.UserChanges.RulesSet;
import rookery.push.count.Who;
import tools.jackson.databind.json.JsonMapper;

/** Keeps what users make of their rules and of whom they ignore, and forgets those who are gone. */
@Component
class UserLogNews implements Derivation<UserLogRecord> {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserChanges changes;

    UserLogNews(UserChanges changes) {
        this.changes = changes;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.subject() != null
                && switch (bare.kind()) {
                    case UserLogRecord.ACCOUNT_DATA -> bare.room() == null;
                    case UserLogRecord.ACCOUNT -> true;
                    default -> false;
                };
    }

    @Override
    public @Nullable UserLogRecord read(LogRecord entry) {
        boolean isData = entry.kind().equals(UserLogRecord.ACCOUNT_DATA);
        if (isData
                && !entry.body().contains(AccountDataTypes.IGNORED_USERS)
                && !entry.body().contains(AccountDataTypes.PUSH_RULES)) {
            return null; // most account data, which need not be read
        }
        var record = UserLogText.read(entry.kind(), entry.body());
        return isOurs(record) ? record : null;
    }

    private static boolean isOurs(@Nullable UserLogRecord record) {
        return switch (record) {
            case AccountDataSet(var type, var room, var _) ->
                room == null
                        && (type.equals(AccountDataTypes.IGNORED_USERS) || type.equals(AccountDataTypes.PUSH_RULES));
            case AccountChanged _ -> true;
            case ProfileSet _, SessionEnded _, SessionLocked _ -> false;
            case null -> false;
        };
    }

    /** The last of each kind counts; after an account ended nothing comes. */
    @Override
    public Mono<Void> write(List<News<UserLogRecord>> news) {
        var rules = new LinkedHashMap<Who, RulesSet>();
        var ignored = new LinkedHashMap<Who, Set<String>>();
        var ended = new LinkedHashSet<Who>();
        for (var item : news) {
            var entry = item.entry();
            var who = new Who(entry.tenant(), Objects.requireNonNull(entry.subject()));
            switch (item.told()) {
                case AccountDataSet(var type, var _, var content) -> {
                    if (type.equals(AccountDataTypes.PUSH_RULES)) {
                        rules.put(who, new RulesSet(who, entry.epoch(), entry.pos(), content));
                    } else {
                        ignored.put(who, ignored(content));
                    }
                }
                case AccountChanged(var state) -> {
                    if (state == AccountState.ENDED) {
                        ended.add(who);
                    }
                }
                case ProfileSet _, SessionEnded _, SessionLocked _ -> {}
            }
        }
        return written(rules, ignored, ended);
    }

    private Mono<Void> written(Map<Who, RulesSet> rules, Map<Who, Set<String>> ignored, Set<Who> ended) {
        var kept = new HashMap<>(rules);
        kept.keySet().removeAll(ended);
        ignored.keySet().removeAll(ended);
        return changes.rules(new ArrayList<>(kept.values()))
                .then(changes.ignore(ignored))
                .then(changes.ended(ended));
    }

    private static Set<String> ignored(String content) {
        var ids = new HashSet<>(JSON.readTree(content).path("ignored_users").propertyNames());
        ids.removeIf(id -> id.indexOf('\0') >= 0); // no user is called so, and no column holds it
        return ids;
    }

    @Override
    public Mono<Void> drop() {
        return changes.drop();
    }
}
