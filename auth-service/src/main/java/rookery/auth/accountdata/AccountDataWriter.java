package rookery.auth.accountdata;

import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Accounts;
import rookery.auth.userlog.UserLog;
import rookery.auth.userlog.UserLogDraft;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.platform.log.append.Outcome;
import rookery.platform.log.append.Outcome.Accepted;
import rookery.platform.log.append.Outcome.Refused;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Sets account data, which is an entry of the user's log. */
@Component
class AccountDataWriter {
    private static final int CONFLICT = 409;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final UserLog userLog;
    private final AccountData data;
    private final Accounts accounts;
    private final SettingsInForce inForce;

    AccountDataWriter(UserLog userLog, AccountData data, Accounts accounts, SettingsInForce inForce) {
        this.userLog = userLog;
        this.data = data;
        this.accounts = accounts;
        this.inForce = inForce;
    }

    /** Returns the position at which it is set, once it is in force. */
    Mono<Long> set(DataKey key, String content) {
        return replaced(key, content, null);
    }

    private Mono<Long> replaced(DataKey key, String content, @Nullable Long readAt) {
        return userLog.append(new ReplaceDraft(key, content, readAt)).delayUntil(pos -> inForce.since(key, pos));
    }

    /**
     * For writers who derive the new content from what they read: 409 if it was set again meanwhile, and M_NOT_FOUND for a user
     * who does not exist.
     *
     * @param readAt the position of what they read, 0 for none, or null to write over whatever there is
     */
    Mono<Long> setIf(DataKey key, String content, @Nullable Long readAt) {
        return accounts.find(key.tenant(), key.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user")))
                .flatMap(_ -> replaced(key, content, readAt));
    }

    /**
     * Makes the new content of the one stored by then, or of an empty object. M_TOO_LARGE as {@link DataRules} has it.
     *
     * @param change pure; content that it leaves as it is becomes no entry
     */
    Mono<Void> change(DataKey key, UnaryOperator<ObjectNode> change) {
        return userLog.append(new ChangeDraft(key, change)).then();
    }

    /** Leaves the empty object, by which clients are told of the deletion; no entry if nothing is set. */
    Mono<Void> delete(DataKey key) {
        return change(key, content -> content.objectNode());
    }

    private final class ChangeDraft implements UserLogDraft<Long> {
        private final DataKey key;
        private final UnaryOperator<ObjectNode> change;

        ChangeDraft(DataKey key, UnaryOperator<ObjectNode> change) {
            this.key = key;
            this.change = change;
        }

        @Override
        public TenantId tenant() {
            return key.tenant();
        }

        @Override
        public UserId user() {
            return key.user();
        }

        @Override
        public Mono<Outcome<Long>> applied(long pos) {
            return data.find(key)
                    .map(stored -> (ObjectNode) JSON.readTree(stored.content()))
                    .defaultIfEmpty(JSON.createObjectNode())
                    .flatMap(content -> changed(content, pos));
        }

        private Mono<Outcome<Long>> changed(ObjectNode before, long pos) {
            var after = change.apply(before);
            if (after.equals(before)) {
                return Mono.just(new Accepted<>(List.of(), pos));
            }
            try {
                String content = after.isEmpty() ? AccountDataTypes.DELETED : DataRules.checked(key, after);
                return new ReplaceDraft(key, content, null).applied(pos);
            } catch (ApiException refusal) {
                return Mono.just(new Refused<>(refusal));
            }
        }
    }

    private final class ReplaceDraft implements UserLogDraft<Long> {
        private final DataKey key;
        private final String content;
        private final @Nullable Long readAt;

        ReplaceDraft(DataKey key, String content, @Nullable Long readAt) {
            this.key = key;
            this.content = content;
            this.readAt = readAt;
        }

        @Override
        public TenantId tenant() {
            return key.tenant();
        }

        @Override
        public UserId user() {
            return key.user();
        }

        @Override
        public Mono<Outcome<Long>> applied(long pos) {
            return readAt == null ? written(pos) : unchanged().flatMap(same -> same ? written(pos) : refused());
        }

        private Mono<Boolean> unchanged() {
            return data.find(key)
                    .map(AccountData.AccountDataRow::pos)
                    .defaultIfEmpty(0L)
                    .map(pos -> Objects.equals(pos, readAt));
        }

        private Mono<Outcome<Long>> written(long pos) {
            var entry = UserLog.entry(key.tenant(), key.user(), new AccountDataSet(key.type(), key.room(), content));
            return data.put(key, content, pos).map(put -> put ? new Accepted<>(List.of(entry), pos) : full());
        }

        private static Outcome<Long> full() {
            return new Refused<>(new ApiException(
                    ErrorCode.M_TOO_LARGE,
                    "all account data of a user has at most " + AccountData.BYTES_MAX + " bytes together"));
        }

        private static Mono<Outcome<Long>> refused() {
            return Mono.just(new Refused<>(
                    new ApiException(ErrorCode.M_UNKNOWN, "it was changed meanwhile: read it again, and try again")
                            .withStatus(CONFLICT)));
        }
    }
}
