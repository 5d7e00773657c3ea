// SPDX-License-Identifier: Apache-2.0
package rookery.directory.inbox;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.directory.person.UserDirectory;
import rookery.directory.person.UserDirectory.Change;
import rookery.model.topic.LogRecord;
import rookery.model.topic.UserLogRecord;
import rookery.model.topic.UserLogRecord.AccountChanged;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.model.topic.UserLogRecord.ProfileSet;
import rookery.platform.log.follow.Derivation;
import rookery.platform.log.text.UserLogText;

/** Derives the user directory from the user log (contract.md 6). */
@Component
class UserLogNews implements Derivation<UserLogRecord> {
    private final UserDirectory directory;

    UserLogNews(UserDirectory directory) {
        this.directory = directory;
    }

    @Override
    public boolean wants(LogRecord bare) {
        return bare.subject() != null
                && (bare.kind().equals(UserLogRecord.PROFILE) || bare.kind().equals(UserLogRecord.ACCOUNT));
    }

    @Override
    public @Nullable UserLogRecord read(LogRecord entry) {
        var record = UserLogText.read(entry.kind(), entry.body());
        boolean matters = record instanceof ProfileSet
                || (record instanceof AccountChanged(var state) && state == AccountState.ENDED);
        return matters ? record : null;
    }

    @Override
    public Mono<Void> write(List<News<UserLogRecord>> news) {
        return directory.take(news.stream().map(UserLogNews::change).toList());
    }

    private static Change change(News<UserLogRecord> news) {
        var user = Objects.requireNonNull(news.entry().subject());
        return news.parsedEntry() instanceof ProfileSet profile
                ? new Change(news.entry().tenant(), user, profile)
                : new Change(news.entry().tenant(), user, null);
    }

    @Override
    public Mono<Void> drop() {
        return directory.forgetAll();
    }
}
