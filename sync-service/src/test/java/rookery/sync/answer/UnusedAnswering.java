// SPDX-License-Identifier: Apache-2.0
package rookery.sync.answer;

import reactor.core.publisher.Mono;

/** For polls that are never answered. */
final class UnusedAnswering implements Answering {
    @Override
    public Mono<Void> beginAnew(Poll poll) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Mono<Answer> changes(Poll poll) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Mono<byte[]> written(Poll poll, Answer answer) {
        throw new UnsupportedOperationException();
    }
}
