// SPDX-License-Identifier: Apache-2.0
package rookery.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import rookery.selfcheck.Checklist.LeftOutException;

class ChecklistTest {
    private final List<String> lines = new ArrayList<>();
    private final Checklist list = new Checklist("http://chat.example", lines::add);

    @Test
    void whatDependsOnAFailedCheckIsNotChecked() {
        list.check(Family.HEALTH, () -> "ok");
        list.check(Family.ACCOUNTS, () -> "two");
        list.check(Family.ROOMS, () -> {
            throw new UnmetException("no room");
        });
        list.check(Family.CONVERSATION, () -> "must not be asked");
        list.check(Family.TYPING, () -> "must not be asked");
        list.check(Family.FILTERS, () -> "saved");

        assertThat(lines)
                .containsExactly(
                        "works        health          ok",
                        "works        accounts        two",
                        "FAILS        rooms           no room",
                        "                             look at: room-service and its database",
                        "not checked  conversation    needs rooms",
                        "not checked  typing          needs conversation",
                        "works        filters         saved");
        assertThat(list.allWorks()).isFalse();
        assertThat(list.summary()).isEqualTo("1 of these does not work; 2 were not checked");
    }

    @Test
    void whatIsOffOnPurposeIsNoFailure() {
        list.check(Family.HEALTH, () -> "ok");
        list.check(Family.STATISTICS, () -> {
            throw LeftOutException.off("off here");
        });

        assertThat(list.allWorks()).isTrue();
        assertThat(list.summary()).isEqualTo("all works");
    }

    @Test
    void aServerThatIsNotThereIsNotBlamed() {
        list.check(Family.HEALTH, () -> {
            throw new ConnectException("refused");
        });
        list.check(Family.STATISTICS, () -> "must not be asked");

        assertThat(lines)
                .containsExactly(
                        "FAILS        health          nothing listens at http://chat.example: is the server started, and is"
                                + " the address right?",
                        "not checked  statistics      needs health");
    }
}
