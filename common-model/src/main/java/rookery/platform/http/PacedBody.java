// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Limits a body to about 256 KiB between its source and the socket. Reactor Netty requests 128 parts of any size at once, and 64
 * more whenever as many are sent, so a client that does not read costs megabytes of direct memory.
 *
 * <p>Empty buffers reveal the progress of the socket: Netty writes in order, so the promise of an empty buffer completes when all
 * bytes before it are written.
 */
final class PacedBody {
    static final int BYTES_MAX = 256 << 10;
    /** Requests parts only when this much is free, in one go: every request makes the source read ahead. */
    private static final int FREE_MIN = BYTES_MAX / 4;

    /** The most parts in one request, because the next parts may be larger than the previous. */
    private static final int PARTS_MAX = 32;

    private PacedBody() {}

    static Flux<DataBuffer> of(Publisher<? extends DataBuffer> source, Channel channel) {
        return Flux.<DataBuffer>from(source)
                .transform(Operators.<DataBuffer, DataBuffer>liftPublisher((_, writer) -> new Pace(writer, channel)));
    }

    private static final class Pace implements CoreSubscriber<DataBuffer>, Subscription {
        private final CoreSubscriber<? super DataBuffer> writer;
        private final Channel channel;
        private @Nullable Subscription source;
        private long requested; // parts that the writer has requested
        private long awaited; // parts that the source still owes
        private long bytes; // bytes of parts that the socket has not taken yet
        private long unmarked; // of these, bytes without an empty buffer behind them
        private int largest; // size of the largest part so far, in bytes

        Pace(CoreSubscriber<? super DataBuffer> writer, Channel channel) {
            this.writer = writer;
            this.channel = channel;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            source = subscription;
            writer.onSubscribe(this);
        }

        @Override
        public void request(long parts) {
            synchronized (this) {
                requested = Operators.addCap(requested, parts);
            }
            ask();
        }

        @Override
        public void onNext(DataBuffer part) {
            int size = part.readableByteCount();
            writer.onNext(part);
            long marked = passed(size);
            if (marked > 0) { // later, because a writer at work writes this part in its next pass
                channel.eventLoop().execute(() -> mark(marked));
            }
            ask();
        }

        /** Returns the number of bytes to mark with an empty buffer now, or 0. */
        private synchronized long passed(int size) {
            largest = Math.max(largest, size);
            awaited--;
            requested--;
            bytes += size;
            unmarked += size;
            long marked = unmarked >= FREE_MIN ? unmarked : 0;
            unmarked -= marked;
            return marked;
        }

        private void mark(long marked) {
            var context = channel.pipeline().firstContext();
            if (context == null) { // the connection is closed, and the next part will fail
                taken(marked);
            } else {
                context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> taken(marked));
            }
        }

        private void taken(long marked) {
            synchronized (this) {
                bytes -= marked;
            }
            ask();
        }

        private void ask() {
            long parts = due();
            if (parts > 0 && source != null) {
                source.request(parts);
            }
        }

        private synchronized long due() {
            long free = BYTES_MAX - bytes;
            if (awaited > 0 || requested == 0 || free < FREE_MIN) {
                return 0;
            }
            long fitting = largest == 0 ? 1 : Math.clamp(free / largest, 1, PARTS_MAX);
            awaited = Math.min(requested, fitting);
            return awaited;
        }

        @Override
        public void onError(Throwable failure) {
            writer.onError(failure);
        }

        @Override
        public void onComplete() {
            writer.onComplete();
        }

        @Override
        public void cancel() {
            if (source != null) {
                source.cancel();
            }
        }

        @Override
        public Context currentContext() {
            return writer.currentContext();
        }
    }
}
