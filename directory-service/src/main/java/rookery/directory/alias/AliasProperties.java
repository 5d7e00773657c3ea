package rookery.directory.alias;

import java.time.Duration;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import rookery.model.id.RoomAlias;

/** Which aliases are kept for others, and how reservations live and die; every key is explained in directory-service.yml. */
@ConfigurationProperties("rookery.directory.alias")
record AliasProperties(
        @DefaultValue("") Pattern reserved,
        @DefaultValue("30s") Duration reservationLife,
        @DefaultValue("1h") Duration abandonedAfter) {

    boolean isReserved(RoomAlias alias) {
        return reserved.matcher(localpart(alias)).matches();
    }

    /** Never empty, so the empty pattern reserves nothing. */
    private static String localpart(RoomAlias alias) {
        return alias.value().substring(1, alias.value().indexOf(':'));
    }
}
