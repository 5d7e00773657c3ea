// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Date;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.mail.MailPreparationException;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.MimeMessageHelper;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.outbox.MessageFolder;
import rookery.model.error.ApiException;
import rookery.model.id.TenantId;
import rookery.platform.tenant.TenantSettings;
import rookery.platform.tenant.Tenants;

/** Sends mail through a mail server, or writes mail into a folder. Both block, so they run in a thread pool. */
@Component
public class Mailer implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Mailer.class);

    private final MailProperties properties;
    private final Tenants tenants;
    private final @Nullable Outlet outlet;
    private final Clock clock;
    private final ThreadPoolExecutor threads;
    private final Counter sent;
    private final Counter failed;

    Mailer(
            MailProperties properties,
            Tenants tenants,
            ObjectProvider<JavaMailSender> servers,
            Clock clock,
            RandomGenerator random,
            MeterRegistry meters) {
        this.properties = properties;
        this.tenants = tenants;
        this.outlet = outlet(properties, servers.getIfAvailable(), clock, random);
        this.clock = clock;
        this.threads = new ThreadPoolExecutor(
                properties.threads(),
                properties.threads(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(properties.waitingMax()),
                Thread.ofPlatform().name("mail-", 0).daemon().factory());
        this.sent = counter(meters, "sent");
        this.failed = counter(meters, "failed");
    }

    private static @Nullable Outlet outlet(
            MailProperties properties, @Nullable JavaMailSender server, Clock clock, RandomGenerator random) {
        if (server != null) {
            return new SmtpOutlet(server);
        }
        var folder = properties.folder();
        return folder == null ? null : new FolderOutlet(new MessageFolder(folder, ".eml", clock, random));
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return Counter.builder("email.sent")
                .description("sent and failed mails")
                .tag("outcome", outcome)
                .register(meters);
    }

    /** True if mail to the tenant's users is possible. */
    public boolean isOn(TenantId tenant) {
        return outlet != null && tenants.setting(tenant, TenantSettings.MAIL, true);
    }

    /** Completes when the server has accepted the mail; 503 for a failure, a timeout or a full queue. */
    public Mono<Void> send(TenantId tenant, Mail mail) {
        return Mono.fromFuture(() -> CompletableFuture.runAsync(() -> deliver(tenant, mail), threads))
                .timeout(properties.timeout())
                .doOnSuccess(_ -> sent.increment())
                .onErrorMap(this::unavailable);
    }

    private void deliver(TenantId tenant, Mail mail) {
        if (outlet == null) {
            throw new IllegalStateException("neither a mail server nor a folder is configured");
        }
        var message = outlet.create();
        try {
            var fields = new MimeMessageHelper(message, true, StandardCharsets.UTF_8.name());
            fields.setFrom(
                    new InternetAddress(tenants.setting(tenant, TenantSettings.MAIL_FROM, properties.from()), true));
            fields.setTo(new InternetAddress(asciiDomain(mail.to())));
            fields.setSubject(mail.subject());
            fields.setText(mail.text(), mail.html());
            fields.setSentDate(Date.from(clock.instant()));
            message.setHeader("Auto-Submitted", "auto-generated"); // RFC 3834: suppresses automatic replies
            outlet.deliver(message);
        } catch (MessagingException e) {
            throw new MailPreparationException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Few mail servers accept internationalized domains in Unicode. */
    private static String asciiDomain(String address) {
        int at = address.lastIndexOf('@');
        return address.substring(0, at + 1) + IDN.toASCII(address.substring(at + 1));
    }

    /** The error text of a mail server may contain the address, so only the types of the exceptions are logged. */
    private ApiException unavailable(Throwable failure) {
        failed.increment();
        log.atWarn()
                .addKeyValue("failure", failure.getClass().getSimpleName())
                .addKeyValue(
                        "cause",
                        NestedExceptionUtils.getMostSpecificCause(failure)
                                .getClass()
                                .getSimpleName())
                .log("a mail could not be sent");
        return ApiException.unavailable("the mail could not be sent, try again in a moment");
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
