// SPDX-License-Identifier: Apache-2.0
package rookery.platform.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcTransientException;
import java.util.LinkedHashMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.MissingRequestValueException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.disk.DiskWatch;
import rookery.platform.disk.FullDatabase;
import tools.jackson.databind.json.JsonMapper;

/** Maps failures to HTTP responses (contract.md 2.4); no other code does. */
@Component
@Order(-2) // ahead of Spring Boot's handler, whose responses have another format
public class ErrorAnswers implements WebExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ErrorAnswers.class);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ObjectProvider<FullDatabase> fullDatabase; // the gateway has no database
    private final Counter beyondLimits;

    ErrorAnswers(ObjectProvider<FullDatabase> fullDatabase, MeterRegistry meters) {
        this.fullDatabase = fullDatabase;
        beyondLimits = Counter.builder("requests_beyond_limits")
                .description("requests refused with M_RESOURCE_LIMIT_EXCEEDED")
                .register(meters);
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            return CutAnswer.end(exchange, failure);
        }
        var refusal = refusal(exchange, failure);
        if (refusal.code == ErrorCode.M_RESOURCE_LIMIT_EXCEEDED) {
            beyondLimits.increment();
        }
        return answer(exchange, refusal);
    }

    /** The error of contract.md 2.4 for a failure, which is logged unless a client can have caused the failure. */
    public ApiException refusal(ServerWebExchange exchange, Throwable failure) {
        if (failure instanceof MethodNotAllowedException e) {
            var allowed = e.getSupportedMethods().stream().map(HttpMethod::name).sorted();
            exchange.getResponse().getHeaders().set(HttpHeaders.ALLOW, allowed.collect(Collectors.joining(", ")));
        }
        return switch (NestedExceptionUtils.getMostSpecificCause(failure)) {
            case ApiException e -> e;
            case MissingRequestValueException e ->
                new ApiException(ErrorCode.M_MISSING_PARAM, "the parameter " + e.getName() + " is missing");
            case ServerWebInputException _ ->
                new ApiException(ErrorCode.M_INVALID_PARAM, "a parameter has a value that cannot be used");
            case NumberFormatException _ ->
                new ApiException(ErrorCode.M_INVALID_PARAM, "a parameter is not an integer");
            case IllegalArgumentException _
            when failure instanceof ServerWebInputException -> // for example of a boolean
                new ApiException(ErrorCode.M_INVALID_PARAM, "a parameter has a value that cannot be used");
            case ResponseStatusException e -> ofStatus(e.getStatusCode().value());
            case Throwable cause when FullDatabase.isNamedBy(cause) -> full(exchange, cause);
            case Throwable cause when isUnavailable(failure, cause) -> unavailable(exchange, failure);
            default -> unexpected(exchange, failure);
        };
    }

    private static ApiException ofStatus(int status) {
        return switch (status) {
            case 404 -> new ApiException(ErrorCode.M_UNRECOGNIZED, "no such endpoint");
            case 405 -> new ApiException(ErrorCode.M_UNRECOGNIZED, "no such method here").withStatus(405);
            case 413 -> new ApiException(ErrorCode.M_TOO_LARGE, "the request is too large");
            case 503 -> ApiException.unavailable("try again in a moment");
            default -> new ApiException(ErrorCode.M_UNKNOWN, "the request cannot be served").withStatus(status);
        };
    }

    private static boolean isUnavailable(Throwable failure, Throwable cause) {
        return failure instanceof CannotCreateTransactionException
                || failure instanceof DataAccessResourceFailureException
                || failure instanceof WebClientRequestException
                || cause instanceof R2dbcTransientException
                || cause instanceof TimeoutException
                || cause instanceof io.netty.handler.timeout.TimeoutException // in the middle of a response
                || cause instanceof java.io.IOException
                || isConnectionLoss(cause);
    }

    private static boolean isConnectionLoss(Throwable cause) {
        // 08: connection, 53: resources, 57: the server is stopping or has cancelled, 55P03: the lock was not free in
        // time, 25006: the database is read-only since a fail-over
        return cause instanceof R2dbcException e
                && e.getSqlState() != null
                && e.getSqlState().matches("08...|53...|57...|55P03|25P0[34]|25006");
    }

    private ApiException full(ServerWebExchange exchange, Throwable failure) {
        fullDatabase.ifAvailable(FullDatabase::refused);
        log.atError()
                .addKeyValue("path", exchange.getRequest().getPath())
                .addKeyValue("cause", String.valueOf(failure.getMessage()))
                .log("the disk of the database is full");
        return DiskWatch.full();
    }

    private static ApiException unavailable(ServerWebExchange exchange, Throwable failure) {
        log.atWarn()
                .addKeyValue("path", exchange.getRequest().getPath())
                .addKeyValue("cause", String.valueOf(failure.getMessage()))
                .log("a store or service did not answer");
        return ApiException.unavailable("a part of the server is not available, try again in a moment");
    }

    private static ApiException unexpected(ServerWebExchange exchange, Throwable failure) {
        log.atError()
                .addKeyValue("path", exchange.getRequest().getPath())
                .setCause(failure)
                .log("unexpected failure");
        return new ApiException(ErrorCode.M_UNKNOWN, "internal error");
    }

    /** Writes an error response; also for filters, which refuse before a handler is known. */
    public static Mono<Void> answer(ServerWebExchange exchange, ApiException refusal) {
        var response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(refusal.status));
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        if (refusal.retryAfterSeconds != null) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, refusal.retryAfterSeconds.toString());
        }
        var body = new LinkedHashMap<String, Object>();
        body.put("errcode", refusal.code.text);
        body.put("error", refusal.reason);
        body.putAll(refusal.details);
        return response.writeWith(Mono.just(response.bufferFactory().wrap(JSON.writeValueAsBytes(body))));
    }
}
