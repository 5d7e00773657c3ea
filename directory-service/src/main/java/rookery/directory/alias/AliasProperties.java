// SPDX-License-Identifier: Apache-2.0
package rookery.directory.alias;

import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.RoomAlias;

/** Reserved names, reservation times and limits of aliases; directory-service.yml explains the keys. */
@ConfigurationProperties("rookery.directory.alias")
record AliasProperties(
        @DefaultValue("") Pattern reserved,
        @DefaultValue("30s") Duration reservationLife,
        @DefaultValue("1h") Duration abandonedAfter,
        @DefaultValue("1000") int ofUserMax,
        @DefaultValue("1000") int ofRoomMax) {
    AliasProperties {
        if (ofUserMax < 1 || ofRoomMax < 1) {
            throw new IllegalArgumentException(
                    "rookery.directory.alias: set of-user-max and of-room-max to a number of aliases, at least 1");
        }
    }

    boolean isReserved(RoomAlias alias) {
        return reserved.matcher(localpart(alias)).matches();
    }

    /** Never empty, so the empty pattern reserves nothing. */
    private static String localpart(RoomAlias alias) {
        return alias.value().substring(1, alias.value().indexOf(':'));
    }
}
