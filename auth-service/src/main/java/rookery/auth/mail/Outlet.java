package rookery.auth.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;

/** Where mails go; blocks until they are there. */
sealed interface Outlet permits SmtpOutlet, FolderOutlet {
    MimeMessage create();

    void deliver(MimeMessage message) throws IOException, MessagingException;
}
