// SPDX-License-Identifier: Apache-2.0
package rookery.platform.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import rookery.platform.http.InternalProperties;
import rookery.platform.http.ServiceName;
import rookery.platform.tenant.TenantProperties;
import rookery.platform.tenant.Tenants;

/**
 * The configuration of a service, read and bound as at its start, without any connection.
 *
 * @param settings a line for each setting, with secrets hidden, and with the origin unless that is the service's own file
 * @param problems a sentence for each problem, with the setting to change
 */
public record ConfigurationCheck(List<String> settings, List<String> problems) {
    private static final Set<String> SHOWN = Set.of("rookery", "spring", "server", "management", "logging");
    /** Properties of Spring Boot itself, without interest to operators. */
    private static final List<String> LEFT_OUT =
            List.of("spring.autoconfigure", "spring.application.pid", "spring.config.name");
    /** Spring Boot's configuration properties, if on the classpath. */
    private static final List<String> OF_SPRING = List.of(
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcProperties",
            "org.springframework.boot.kafka.autoconfigure.KafkaProperties",
            "org.springframework.boot.web.server.autoconfigure.ServerProperties",
            "org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties");

    static ConfigurationCheck of(Class<?> application, String name, String... arguments) {
        var problems = new ArrayList<String>();
        ConfigurableEnvironment environment;
        try {
            environment = environment(name, arguments);
        } catch (RuntimeException e) {
            return new ConfigurationCheck(List.of(), List.of(rootMessage(e)));
        }
        problems.addAll(UnknownKeys.complaints(environment));
        var settings = settings(environment, problems);
        var binder = Binder.get(environment);
        types(application).forEach(type -> bind(binder, type, problems));
        checkTogether(name, binder, problems);
        return new ConfigurationCheck(settings, problems);
    }

    /** Loads the environment as at the start: a context without beans reads the same files. */
    private static ConfigurableEnvironment environment(String name, String... arguments) {
        var application = new SpringApplication(EmptyConfiguration.class);
        application.setInitializers(
                List.<ApplicationContextInitializer<?>>of()); // unknown keys are reported with all other problems
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of("spring.config.name", name));
        try (var context = application.run(arguments)) {
            return context.getEnvironment();
        }
    }

    /** The property records of the application and of Spring Boot. */
    private static Set<Class<?>> types(Class<?> application) {
        var types = new LinkedHashSet<Class<?>>();
        var scan = AnnotatedElementUtils.findMergedAnnotation(application, ConfigurationPropertiesScan.class);
        if (scan != null) {
            var scanner = new ClassPathScanningCandidateComponentProvider(false);
            scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
            var packages =
                    scan.basePackages().length == 0 ? new String[] {application.getPackageName()} : scan.basePackages();
            Arrays.stream(packages)
                    .flatMap(each -> scanner.findCandidateComponents(each).stream())
                    .map(BeanDefinition::getBeanClassName)
                    .forEach(each -> types.add(ClassUtils.resolveClassName(Objects.requireNonNull(each), null)));
        }
        var enabled = AnnotatedElementUtils.findMergedAnnotation(application, EnableConfigurationProperties.class);
        if (enabled != null) {
            types.addAll(List.of(enabled.value()));
        }
        OF_SPRING.stream()
                .filter(each -> ClassUtils.isPresent(each, null))
                .forEach(each -> types.add(ClassUtils.resolveClassName(each, null)));
        return types;
    }

    private static void bind(Binder binder, Class<?> type, List<String> problems) {
        var annotation = AnnotatedElementUtils.findMergedAnnotation(type, ConfigurationProperties.class);
        try {
            binder.bindOrCreate(Objects.requireNonNull(annotation).prefix(), Bindable.of(type));
        } catch (BindException e) {
            problems.add(problem(e));
        }
    }

    private static String problem(BindException failure) {
        var property = failure.getProperty();
        String name = property == null
                ? failure.getName().toString()
                : property.getName().toString();
        var origin = Origin.from(property);
        String reason = Secrets.isSecret(name) ? "its value does not fit" : rootMessage(failure);
        return reason.startsWith("rookery.")
                ? reason
                : "%s%s: %s".formatted(name, origin == null ? "" : " (" + origin + ")", reason);
    }

    /** Checks that involve several property records. */
    private static void checkTogether(String name, Binder binder, List<String> problems) {
        together(problems, () -> new Tenants(binder.bindOrCreate("rookery", TenantProperties.class)));
        var service = ServiceName.named(name);
        if (service != null) {
            together(problems, () -> requireKeys(name, service, binder));
        }
    }

    private static void requireKeys(String name, ServiceName service, Binder binder) {
        var missing = binder.bindOrCreate("rookery.internal", InternalProperties.class)
                .missing(service);
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "rookery.internal.keys: there is no key %s: set what deploy/compose/secrets derives for %s"
                            .formatted(String.join(", ", missing), name));
        }
    }

    private static void together(List<String> problems, Runnable judging) {
        try {
            judging.run();
        } catch (BindException _) {
            // reported already
        } catch (IllegalArgumentException | IllegalStateException e) {
            problems.add(e.getMessage());
        }
    }

    private static List<String> settings(ConfigurableEnvironment environment, List<String> problems) {
        var known = KnownKeys.load();
        var lines = new TreeMap<String, String>();
        for (var source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                names.stream()
                        .filter(ConfigurationCheck::isShown)
                        .forEach(name -> lines.computeIfAbsent(
                                known.written(name), written -> line(environment, source, name, written, problems)));
            }
        }
        return List.copyOf(lines.values());
    }

    private static boolean isShown(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 1
                && SHOWN.contains(name.getElement(0, ConfigurationPropertyName.Form.DASHED))
                && LEFT_OUT.stream().noneMatch(name.toString()::startsWith);
    }

    private static String line(
            ConfigurableEnvironment environment,
            ConfigurationPropertySource source,
            ConfigurationPropertyName name,
            String written,
            List<String> problems) {
        String value;
        try {
            value = Binder.get(environment)
                    .bind(name, Bindable.of(String.class))
                    .orElse("");
        } catch (BindException e) {
            value = "?";
            problems.add(problem(e));
        }
        var origin = Origin.from(source.getConfigurationProperty(name));
        boolean isOwn = origin == null || origin.toString().startsWith("class path resource");
        return "%s = %s%s".formatted(written, Secrets.hidden(written, value), isOwn ? "" : "    (" + origin + ")");
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }

    /** A configuration without beans. */
    static final class EmptyConfiguration {
        EmptyConfiguration() {}
    }
}
