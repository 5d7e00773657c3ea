// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import java.util.Arrays;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.web.method.HandlerMethod;
import reactor.core.publisher.Flux;
import reactor.netty.channel.AbortedException;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;

/**
 * A request body that its handler reads in parts, because it is too large for memory. A handler with this argument gets no other
 * body and sets its own limit: {@link BodyLimits} and {@link BodyBudget} do not apply.
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

    /** The Content-Length in bytes; -1 if absent. */
    public long announcedLength() {
        return body.announcedLength();
    }

    /**
     * M_TOO_LARGE if the Content-Length exceeds the limit, or if the gateway has found so.
     *
     * @param most in bytes
     */
    public void requireAtMost(long most) {
        if (body.isTooLarge(most)) {
            throw tooLarge(most);
        }
    }

    /**
     * The parts in order, once, for one reader, who must release each part. A reader must also read the parts that it ignores,
     * because a response before the end of the request body may be lost.
     */
    public Flux<DataBuffer> parts() {
        return body.parts().onErrorMap(AbortedException.class, _ -> gone());
    }

    /** The client is gone: the error reaches no client, and is no fault of the server. */
    private static ApiException gone() {
        return new ApiException(ErrorCode.M_UNKNOWN, "the client has closed the connection").withStatus(BAD_REQUEST);
    }

    /** The error for a body that is too large. */
    public static ApiException tooLarge(long most) {
        return WholeBody.tooLarge(most);
    }
}
