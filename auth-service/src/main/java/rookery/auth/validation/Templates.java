// SPDX-License-Identifier: Apache-2.0
package rookery.auth.validation;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** The templates of pages and mails. The engine escapes values in HTML. */
@Component
class Templates {
    private static final String FOLDER = "rookery/auth/validation/";

    private final TemplateEngine engine = new TemplateEngine();

    Templates() {
        engine.addTemplateResolver(resolver(".html", TemplateMode.HTML));
        engine.addTemplateResolver(resolver(".txt", TemplateMode.TEXT));
    }

    /** Fills a file of this package's resources, such as {@code mail.html}. */
    String filled(String file, Map<String, Object> values) {
        return engine.process(file, new Context(Locale.ENGLISH, values));
    }

    private static ClassLoaderTemplateResolver resolver(String suffix, TemplateMode mode) {
        var resolver = new ClassLoaderTemplateResolver(Templates.class.getClassLoader());
        resolver.setPrefix(FOLDER);
        resolver.setResolvablePatterns(Set.of("*" + suffix));
        resolver.setTemplateMode(mode);
        resolver.setCharacterEncoding("UTF-8");
        return resolver;
    }
}
