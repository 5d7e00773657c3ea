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

/** Writes account data, with an entry in the user log for each change. */
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

    /** Returns the position of the entry, after push rules or an ignore list are in force. */
    Mono<Long> set(DataKey key, String content) {
        return replaced(key, content, null);
    }

    private Mono<Long> replaced(DataKey key, String content, @Nullable Long readAt) {
        return userLog.append(new ReplaceDraft(key, content, readAt)).delayUntil(pos -> inForce.since(key, pos));
    }

    /**
     * A conditional write for clients that derive the new content from a read: 409 if the row was set again meanwhile,
     * M_NOT_FOUND for an unknown user.
     *
     * @param readAt the position of the row that was read, 0 for no row, or null to overwrite any row
     */
    Mono<Long> setIf(DataKey key, String content, @Nullable Long readAt) {
        return accounts.find(key.tenant(), key.user())
                .filter(account -> !account.deactivated())
                .switchIfEmpty(Mono.error(() -> new ApiException(ErrorCode.M_NOT_FOUND, "there is no such user")))
                .flatMap(_ -> replaced(key, content, readAt));
    }

    /**
     * Applies the change to the stored content, or to an empty object, under the lock of the shard. M_TOO_LARGE as in
     * {@link DataRules}.
     *
     * @param change pure; an unchanged content appends no entry
     */
    Mono<Void> change(DataKey key, UnaryOperator<ObjectNode> change) {
        return userLog.append(new ChangeDraft(key, change)).then();
    }

    /** Stores the empty object, which tells clients of the deletion. Appends no entry if the key is unset. */
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
                    new ApiException(ErrorCode.M_UNKNOWN, "the account data changed meanwhile: read again, then retry")
                            .withStatus(CONFLICT)));
        }
    }
}
