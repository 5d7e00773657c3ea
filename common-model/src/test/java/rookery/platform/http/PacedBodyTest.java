// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** The number of parts requested from a body's source while its client reads or does not read. */
class PacedBodyTest {
    private static final int PARTS = 1000;

    private static final byte[] ZEROS = new byte[1 << 20];

    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final HeldChannel channel = new HeldChannel();

    @AfterEach
    void close() {
        channel.held = false;
        channel.holdAfterNext = false;
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {2 << 10, 8 << 10, 64 << 10})
    void littleIsTakenFromTheSourceOfWhatNobodyReads(int size) {
        write(size);
        assertThat((long) made.get() * size)
                .isLessThanOrEqualTo(PacedBody.BYTES_MAX)
                .isPositive();
        int unread = made.get();
        channel.runPendingTasks();
        assertThat(made).hasValue(unread);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8 << 10, 64 << 10, 1 << 20})
    void allOfItArrivesWhereItIsRead(int size) {
        channel.held = false;
        var writer = write(size);
        for (int turn = 0; turn < PARTS && !writer.isDisposed(); turn++) {
            channel.runPendingTasks();
            channel.releaseOutbound();
        }
        assertThat(writer.isDisposed()).isTrue();
        assertThat(taken).hasValue(PARTS);
    }

    @Test
    void moreIsTakenAsTheClientReads() {
        write(8 << 10);
        int unread = made.get();
        channel.holdAfterNext = true;
        channel.held = false;
        channel.flush();
        channel.runPendingTasks();
        assertThat(made).hasValueGreaterThan(unread);
        assertThat((long) (made.get() - unread) << 13).isLessThanOrEqualTo(PacedBody.BYTES_MAX);
    }

    @Test
    void writerThatLeavesLeavesTheSource() {
        var cancelled = new AtomicInteger();
        var writer = new Writer();
        PacedBody.of(parts(8 << 10).doOnCancel(cancelled::incrementAndGet), channel)
                .subscribe(writer);
        writer.cancel();
        assertThat(cancelled).hasValue(1);
    }

    private Writer write(int size) {
        var writer = new Writer();
        PacedBody.of(parts(size), channel).subscribe(writer);
        channel.runPendingTasks();
        return writer;
    }

    private Flux<DataBuffer> parts(int size) {
        return Flux.range(0, PARTS)
                .doOnNext(_ -> made.incrementAndGet())
                .map(_ -> DefaultDataBufferFactory.sharedInstance.wrap(ByteBuffer.wrap(ZEROS, 0, size)));
    }

    /** Requests as many parts at once as Reactor Netty, and writes them. */
    private final class Writer extends BaseSubscriber<DataBuffer> {
        private static final int AT_ONCE = 128;

        @Override
        protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
            request(AT_ONCE);
        }

        @Override
        protected void hookOnNext(DataBuffer part) {
            taken.incrementAndGet();
            channel.writeAndFlush(Unpooled.wrappedBuffer(ZEROS, 0, part.readableByteCount()))
                    .addListener(_ -> request(1));
        }
    }

    /** A connection whose peer reads only while {@code held} is false. */
    private static final class HeldChannel extends EmbeddedChannel {
        boolean held = true;
        boolean holdAfterNext;

        HeldChannel() {
            super(new ChannelDuplexHandler()); // a real connection has handlers
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
            if (!held) {
                held = holdAfterNext;
                super.doWrite(waiting);
            }
        }
    }
}
