// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import rookery.auth.AuthServer;
import rookery.auth.AuthServer.Answer;
import rookery.auth.AuthServer.Tenant;

/** Auth-service with a mail server and an SMS provider that record all messages. */
final class Channels {
    static final String BASE = "https://chat.alpha.example";

    private static final Pattern LINK = Pattern.compile("https?://\\S+/submitToken\\?\\S+");
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final GreenMail MAIL = started();

    static final SmsProvider SMS = new SmsProvider();
    static final AuthServer SERVER = AuthServer.shared().another(settings());

    private Channels() {}

    /** A link from a mail. */
    record Link(String sid, String token, String url) {
        /** Path and query of the link, as a browser requests them. */
        String path() {
            var url = URI.create(url());
            return url.getRawPath() + "?" + url.getRawQuery();
        }
    }

    static String[] settings(String... more) {
        return Stream.concat(
                        Stream.of(
                                "--spring.mail.host=127.0.0.1",
                                "--spring.mail.port=" + MAIL.getSmtp().getPort(),
                                "--rookery.mail.from=Alpha Chat <chat@alpha.example>",
                                "--rookery.tenants[1].settings.mail-from=beta@beta.example",
                                "--rookery.mail.timeout=30s",
                                "--rookery.sms.url=" + SMS.url(),
                                "--rookery.sms.key=sms-key-canary",
                                "--rookery.sms.body={\"message\":{\"to\":\"{to}\",\"content\":\"{text}\"},\"v\":1}",
                                "--rookery.sms.timeout=30s",
                                "--rookery.auth.public-base-url=" + BASE,
                                "--rookery.tenants[1].settings.public-url=https://beta.example/",
                                "--rookery.auth.threepid.policy.next-link-hosts[0]=app.example",
                                "--rookery.auth.threepid.policy.denied-emails=.*@denied\\.example"),
                        Stream.of(more))
                .toArray(String[]::new);
    }

    static String newEmail() {
        return "person" + NUMBERS.incrementAndGet() + "@mail.example";
    }

    /** A number reserved for fiction, in international form; the national form begins with a 0. */
    static String newPhone() {
        return "+447700900" + (600 + NUMBERS.incrementAndGet() % 400);
    }

    static Answer requestEmail(Tenant tenant, String purpose, String email, String secret, long attempt) {
        return SERVER.call(tenant, "POST", "/_api/client/v3/" + purpose + "/email/requestToken", """
                {"client_secret":"%s","email":"%s","send_attempt":%d}
                """.formatted(
                        secret, email, attempt));
    }

    static Answer requestPhone(Tenant tenant, String purpose, String phone, String secret, long attempt) {
        return SERVER.call(tenant, "POST", "/_api/client/v3/" + purpose + "/msisdn/requestToken", """
                {"client_secret":"%s","country":"GB","phone_number":"%s","send_attempt":%d}
                """.formatted(
                        secret, phone, attempt));
    }

    /** Validates the address for a registration; returns the ID of the validation. */
    static String validated(Tenant tenant, String email, String secret) {
        String sid = requestEmail(tenant, "register", email, secret, 1).text("sid");
        submit(tenant, "email", sid, secret, link(email).token());
        return sid;
    }

    static Answer submit(Tenant tenant, String medium, String sid, String secret, String token) {
        return SERVER.call(tenant, "POST", "/_api/client/v3/validate/" + medium + "/submitToken", """
                {"sid":"%s","client_secret":"%s","token":"%s"}
                """.formatted(
                        sid, secret, token));
    }

    static List<MimeMessage> mailsTo(String email) {
        var messages = new ArrayList<MimeMessage>();
        try {
            for (var message : MAIL.getReceivedMessages()) {
                if (message.getRecipients(Message.RecipientType.TO)[0]
                        .toString()
                        .equals(email)) {
                    messages.add(message);
                }
            }
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
        return messages;
    }

    /** The link in the last mail to the address. */
    static Link link(String email) {
        return linkIn(text(mailsTo(email).getLast(), "text/plain"));
    }

    static Link linkIn(String text) {
        var matcher = LINK.matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("there is no link in it");
        }
        String url = matcher.group();
        return new Link(url.replaceAll(".*[?&]sid=([^&]+).*", "$1"), url.replaceAll(".*&token=([^&]+).*", "$1"), url);
    }

    /** The part of a mail with the content type. */
    static String text(Part part, String type) {
        try {
            if (part.isMimeType(type)) {
                return part.getContent().toString();
            }
            if (part.getContent() instanceof Multipart parts) {
                var all = new StringBuilder();
                for (int i = 0; i < parts.getCount(); i++) {
                    all.append(text(parts.getBodyPart(i), type));
                }
                return all.toString();
            }
            return "";
        } catch (MessagingException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static List<Answer> atOnce(int times, Callable<Answer> call) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, times)
                    .mapToObj(_ -> threads.submit(call))
                    .toList();
            var answers = new ArrayList<Answer>();
            for (var one : running) {
                answers.add(one.get());
            }
            return answers;
        }
    }

    private static GreenMail started() {
        var mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        return mail;
    }
}
