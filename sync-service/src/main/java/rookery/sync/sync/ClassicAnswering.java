// SPDX-License-Identifier: Apache-2.0
package rookery.sync.sync;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.sync.answer.Answer;
import rookery.sync.answer.AnswerFinder;
import rookery.sync.answer.AnswerWriter;
import rookery.sync.answer.Answering;
import rookery.sync.answer.Poll;
import rookery.sync.inbox.FollowedLogs;

/** The answers of {@code GET /v3/sync}: all rooms of the user. */
@Component
class ClassicAnswering implements Answering {
    private final AnswerFinder finder;
    private final AnswerWriter writer;
    private final FollowedLogs logs;

    ClassicAnswering(AnswerFinder finder, AnswerWriter writer, FollowedLogs logs) {
        this.finder = finder;
        this.writer = writer;
        this.logs = logs;
    }

    @Override
    public Mono<Void> beginAnew(Poll poll) {
        return logs.users().caughtUp(); // room-service reads the rooms itself
    }

    @Override
    public boolean isComplete(Poll poll) {
        return finder.isComplete(poll);
    }

    @Override
    public Flux<byte[]> all(Poll poll) {
        return writer.write(poll, finder.all(poll));
    }

    @Override
    public Mono<Answer> changes(Poll poll) {
        return finder.changes(poll);
    }

    @Override
    public Mono<byte[]> written(Poll poll, Answer answer) {
        return Mono.fromCallable(() -> writer.write(poll, answer));
    }
}
