package rookery.gateway.ratelimit;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Whose word about a client's address is taken; every key is explained in gateway.yml. */
@ConfigurationProperties("rookery.client-address")
record ClientAddressProperties(@DefaultValue List<String> trustedProxies) {}
