package rookery.gateway.authentication;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Where an access token may stand; the key is explained in gateway.yml. */
@ConfigurationProperties("rookery.access-token")
record AccessTokenProperties(@DefaultValue("false") boolean inQuery) {}
