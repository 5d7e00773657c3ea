// SPDX-License-Identifier: Apache-2.0
package rookery.auth.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;

/** A destination of mails; delivery blocks until the mail is accepted. */
sealed interface Outlet permits SmtpOutlet, FolderOutlet {
    MimeMessage create();

    void deliver(MimeMessage message) throws IOException, MessagingException;
}
