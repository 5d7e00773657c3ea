// SPDX-License-Identifier: Apache-2.0
package rookery.auth.sms;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.ChannelOption;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import rookery.auth.outbox.MessageFolder;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** Sends text messages through the HTTP interface of a provider, or writes them into a folder. */
@Component
public class SmsSender {
    private static final Logger log = LoggerFactory.getLogger(SmsSender.class);
    private static final int CONNECT_MILLIS_MAX = 3000;
    private static final Duration IDLE_MAX = Duration.ofSeconds(5);

    private final SmsProperties properties;
    private final Tenants tenants;
    private final SmsBody body;
    private final @Nullable MessageFolder folder;
    private final WebClient http;
    private final Counter sent;
    private final Counter failed;

    SmsSender(
            SmsProperties properties,
            Tenants tenants,
            ReactorResourceFactory resources,
            MeterRegistry meters,
            Clock clock,
            RandomGenerator random) {
        this.properties = properties;
        this.tenants = tenants;
        this.body = new SmsBody(properties.body());
        this.folder =
                properties.folder() == null ? null : new MessageFolder(properties.folder(), ".txt", clock, random);
        this.http = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        resources,
                        (HttpClient client) -> client.followRedirect(false) // the key must not reach another host
                                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
                                .responseTimeout(IDLE_MAX)))
                .build();
        this.sent = counter(meters, "sent");
        this.failed = counter(meters, "failed");
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return Counter.builder("sms.sent")
                .description("sent and failed text messages")
                .tag("outcome", outcome)
                .register(meters);
    }

    /** True if text messages to the tenant's users are possible. */
    public boolean isOn(TenantId tenant) {
        return properties.hasOutlet() && tenants.setting(tenant, TenantSettings.TEXT_MESSAGES, true);
    }

    /**
     * Completes when the provider has accepted the message; 503 for a failure or a timeout.
     *
     * @param digits the phone number, E.164 without the plus
     */
    public Mono<Void> send(String digits, String text) {
        return Mono.defer(() -> posted(digits, text))
                .timeout(properties.timeout())
                .doOnSuccess(_ -> sent.increment())
                .onErrorMap(this::unavailable);
    }

    private Mono<Void> posted(String digits, String text) {
        var url = properties.url();
        if (url == null) {
            return folder == null
                    ? Mono.error(new IllegalStateException("there is no provider"))
                    : written(folder, "To: +" + digits + "\n\n" + text + "\n");
        }
        return http.post()
                .uri(url)
                .headers(this::authorize)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(body.filled("+" + digits, text))
                .exchangeToMono(answer -> answer.releaseBody().thenReturn(answer.statusCode()))
                .flatMap(SmsSender::judged);
    }

    private static Mono<Void> written(MessageFolder folder, String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return Mono.fromFuture(() -> CompletableFuture.runAsync(() -> folder.write(bytes), Thread::startVirtualThread));
    }

    private void authorize(HttpHeaders headers) {
        var key = properties.key();
        if (key != null) {
            headers.setBearerAuth(key);
        }
    }

    private static Mono<Void> judged(HttpStatusCode status) {
        return status.is2xxSuccessful()
                ? Mono.empty()
                : Mono.error(new IllegalStateException("the provider answered " + status.value()));
    }

    private ApiException unavailable(Throwable failure) {
        failed.increment();
        log.atWarn()
                .addKeyValue("failure", failure.getClass().getSimpleName())
                .addKeyValue("reason", String.valueOf(failure.getMessage()))
                .log("a text message could not be sent");
        return ApiException.unavailable("the text message could not be sent, try again in a moment");
    }
}
