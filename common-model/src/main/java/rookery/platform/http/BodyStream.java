package rookery.platform.http;

import java.util.Arrays;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.method.HandlerMethod;
import reactor.core.publisher.Flux;
import reactor.netty.channel.AbortedException;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * The body of a request whose handler takes it part by part, because it is too large to be held. A handler with such an argument
 * gets no other body, and its limit is its own: {@link BodyLimits} and {@link BodyBudget} do not know it.
 */
public final class BodyStream {
    private static final int BAD_REQUEST = 400;

    private final WholeBody body;

    BodyStream(WholeBody body) {
        this.body = body;
    }

    static boolean isTakenBy(HandlerMethod handler) {
        return Arrays.asList(handler.getMethod().getParameterTypes()).contains(BodyStream.class);
    }

    /** What the client says its length is, in bytes; -1 if it does not say. */
    public long announcedLength() {
        return body.announcedLength();
    }

    /**
     * M_TOO_LARGE if the announced length, here or at the gateway, says so already.
     *
     * @param most in bytes
     */
    public void requireAtMost(long most) {
        if (body.isTooLarge(most)) {
            throw tooLarge(most);
        }
    }

    /**
     * The parts in their order, once, for one reader. Whoever takes one releases it; whoever does not want the others still takes them,
     * since an answer that comes while the other side is sending may be lost.
     */
    public Flux<DataBuffer> parts() {
        return body.parts().onErrorMap(AbortedException.class, _ -> gone());
    }

    /** Which nobody is told any more, and which is nobody's fault. */
    private static ApiException gone() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the client has closed the connection").withStatus(BAD_REQUEST);
    }

    /** What is said of a body that turned out too large. */
    public static ApiException tooLarge(long most) {
        return WholeBody.tooLarge(most);
    }
}
