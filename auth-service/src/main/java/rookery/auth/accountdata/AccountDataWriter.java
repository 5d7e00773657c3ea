// SPDX-License-Identifier: Apache-2.0
package rookery.auth.accountdata;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.account.Account;
import rookery.auth.account.Accounts;
import rookery.auth.userlog.UserLog;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.event.AccountDataTypes;
import rookery.model.topic.UserLogRecord.AccountDataSet;
import rookery.platform.log.append.Outcome.Accepted;
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
        return replace(key, content, null);
    }

    private Mono<Long> replace(DataKey key, String content, @Nullable Long readAt) {
        return userLog.append(key.tenant(), key.user(), pos -> replaced(key, content, readAt, pos))
                .delayUntil(pos -> inForce.since(key, pos));
    }

    /**
     * A conditional write for clients that derive the new content from a read: 409 if the row was set again meanwhile,
     * M_NOT_FOUND for an unknown user.
     *
     * @param readAt the position of the row that was read, 0 for no row, or null to overwrite any row
     */
    Mono<Long> setIf(DataKey key, String content, @Nullable Long readAt) {
        return accounts.find(key.tenant(), key.user())
                .as(Account::existing)
                .flatMap(_ -> replace(key, content, readAt));
    }

    /**
     * Applies the change to the stored content, or to an empty object, under the lock of the shard. M_TOO_LARGE as in
     * {@link DataRules}.
     *
     * @param change pure; an unchanged content appends no entry
     */
    Mono<Void> change(DataKey key, UnaryOperator<ObjectNode> change) {
        return userLog.append(key.tenant(), key.user(), pos -> changed(key, change, pos))
                .then();
    }

    /** Stores the empty object, which tells clients of the deletion. Appends no entry if the key is unset. */
    Mono<Void> delete(DataKey key) {
        return change(key, content -> content.objectNode());
    }

    private Mono<Accepted<Long>> changed(DataKey key, UnaryOperator<ObjectNode> change, long pos) {
        return data.find(key)
                .map(stored -> (ObjectNode) JSON.readTree(stored.content()))
                .defaultIfEmpty(JSON.createObjectNode())
                .flatMap(content -> changed(key, content, change.apply(content), pos));
    }

    private Mono<Accepted<Long>> changed(DataKey key, ObjectNode before, ObjectNode after, long pos) {
        return after.equals(before)
                ? Mono.just(new Accepted<>(List.of(), pos))
                : written(key, after.isEmpty() ? AccountDataTypes.DELETED : DataRules.checked(key, after), pos);
    }

    private Mono<Accepted<Long>> replaced(DataKey key, String content, @Nullable Long readAt, long pos) {
        return readAt == null
                ? written(key, content, pos)
                : data.find(key)
                        .map(AccountData.AccountDataRow::pos)
                        .defaultIfEmpty(0L)
                        .filter(readAt::equals)
                        .switchIfEmpty(Mono.error(AccountDataWriter::conflict))
                        .flatMap(_ -> written(key, content, pos));
    }

    private Mono<Accepted<Long>> written(DataKey key, String content, long pos) {
        var entry = UserLog.entry(key.tenant(), key.user(), new AccountDataSet(key.type(), key.room(), content));
        return data.put(key, content, pos)
                .flatMap(put -> put ? Mono.just(new Accepted<>(List.of(entry), pos)) : Mono.error(full()));
    }

    private static ApiException full() {
        return new ApiException(
                ErrorCode.M_TOO_LARGE,
                "all account data of a user has at most " + AccountData.BYTES_MAX + " bytes together");
    }

    private static ApiException conflict() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the account data changed meanwhile: read again, then retry")
                .withStatus(CONFLICT);
    }
}
