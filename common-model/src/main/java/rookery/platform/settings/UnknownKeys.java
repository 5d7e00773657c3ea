// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Refuses a start with an unknown {@code rookery.*} key, which would have no effect. JVM flags ({@code -Drookery…}) are exempt,
 * because the launcher has its own.
 */
public final class UnknownKeys implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("rookery");
    /** Environment variables of Kubernetes for a Service named rookery-something. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("ROOKERY_.*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_.*)?)?)");

    private static final Pattern OF_TENANT =
            Pattern.compile("^rookery[.].+[.](tenants|tenant-keys|tenants-without|public-base-urls|badge-of-rooms)\\b");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        var complaints = complaints(context.getEnvironment());
        if (!complaints.isEmpty()) {
            throw new UnknownKeyException(String.join("\n", complaints));
        }
    }

    /** Returns one sentence for each unknown key. */
    static List<String> complaints(ConfigurableEnvironment environment) {
        var known = KnownKeys.load();
        Map<String, String> complaints = new LinkedHashMap<>();
        for (var source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names && !isOfTheJvm(source)) {
                names.stream()
                        .filter(name -> OURS.isAncestorOf(name) && !known.knows(name))
                        .filter(name -> !isOfKubernetes(source, name))
                        .forEach(name -> complaints.putIfAbsent(name.toString(), complaint(known, source, name)));
            }
        }
        return List.copyOf(complaints.values());
    }

    private static boolean isOfTheJvm(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && underlying.getName().equals(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
    }

    private static boolean isOfKubernetes(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        var written = name.toString().toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_");
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && underlying.getName().startsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
                && OF_KUBERNETES.matcher(written).matches();
    }

    private static String complaint(
            KnownKeys known, ConfigurationPropertySource source, ConfigurationPropertyName name) {
        var property = source.getConfigurationProperty(name);
        var origin = Origin.from(property);
        return "%s is unknown%s: %s".formatted(name, origin == null ? "" : " (" + origin + ")", advice(known, name));
    }

    private static String advice(KnownKeys known, ConfigurationPropertyName name) {
        if (OF_TENANT.matcher(name.toString()).find()) { // up to 0.2.0 each feature had a map by tenant
            return "settings of a tenant are in rookery.tenants[].settings, and operators change them with"
                    + " deploy/admin tenant set";
        }
        var nearest = known.nearest(name);
        return nearest == null
                ? "take it away; platform.yml and the services' yml files list what there is"
                : "did you mean " + nearest + "?";
    }
}
