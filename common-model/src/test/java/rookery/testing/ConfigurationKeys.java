// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The keys of a property record, in the form of {@code rookery-keys.txt}. Modules without Spring have this class, too. */
final class ConfigurationKeys {
    private ConfigurationKeys() {}

    /** @param prefix of all keys, such as {@code rookery.redis} */
    static Stream<String> ofRecord(String prefix, Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .flatMap(component -> of(prefix + "." + dashed(component), component.getGenericType()));
    }

    private static Stream<String> of(String key, Type type) {
        if (type instanceof ParameterizedType generic) {
            var arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == Map.class) {
                return of(key + ".*", arguments[1]);
            }
            if (Collection.class.isAssignableFrom((Class<?>) generic.getRawType())) {
                return of(key + "[]", arguments[0]);
            }
        }
        return type instanceof Class<?> plain && plain.isRecord() && isNested(plain)
                ? ofRecord(key, plain)
                : Stream.of(key);
    }

    /** Ids and networks are records and nevertheless single values. */
    private static boolean isNested(Class<?> type) {
        return type.getEnclosingClass() != null
                && Stream.of(type.getEnclosingClass().getAnnotations())
                        .anyMatch(each -> each.annotationType().getSimpleName().equals("ConfigurationProperties"));
    }

    private static String dashed(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
