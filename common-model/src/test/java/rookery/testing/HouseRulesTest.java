// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** House rules that compiled classes show. Runs in every module, on that module's own main classes. */
class HouseRulesTest {
    private static final JavaClasses MAIN = new ClassFileImporter().importPath(Path.of("target", "classes"));

    private static final DescribedPredicate<JavaClass> MAY_BLOCK = describe(
            "listeners, applications, the check at their start, and who has a thread: the tail of a log, the watches, repeated tasks",
            type -> outermost(type)
                    .matches(
                            "\\w+(Listener|Application)|TenantCheck|LogOwner|SilentConnections|ReadinessWatch|RepeatedTask"));

    @Test
    void modelKnowsNoFramework() {
        check(classes()
                .that()
                .resideInAPackage("rookery.model..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.crypto..",
                        "rookery.model..",
                        "com.fasterxml.jackson.annotation..",
                        "org.jspecify.annotations.."));
    }

    @Test
    void platformKnowsNoService() {
        check(noClasses()
                .that()
                .resideInAPackage("rookery.platform..")
                .should()
                .dependOnClassesThat(describe(
                        "belong to a service",
                        type -> type.getPackageName().matches("rookery\\.(?!model|platform).*"))));
    }

    @Test
    void featuresFormNoCycle() {
        check(slices().matching("rookery.(*).(*)..").should().beFreeOfCycles());
    }

    @Test
    void handlersHoldNoSql() {
        check(noClasses()
                .that(describe("are an Api", type -> outermost(type).endsWith("Api")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework.r2dbc..", "io.r2dbc..", "org.springframework.jdbc..", "java.sql.."));
    }

    @Test
    void nobodySubscribes() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("rookery.platform.log..")
                .should()
                .accessTargetWhere(calls("org.reactivestreams.Publisher", "subscribe\\w*")));
    }

    @Test
    void onlyListenersAndMainBlock() {
        check(noClasses()
                .that(DescribedPredicate.not(MAY_BLOCK))
                .should()
                .accessTargetWhere(calls("reactor.core.publisher.Mono", "block(Optional)?|toFuture")
                        .or(calls("reactor.core.publisher.Flux", "block(First|Last)|toIterable|toStream"))));
    }

    @Test
    void everyKeyStandsInTheListOfKeys() throws IOException {
        String annotation = "org.springframework.boot.context.properties.ConfigurationProperties";
        var keys = MAIN.stream()
                .filter(type -> type.isAnnotatedWith(annotation))
                .flatMap(type -> ConfigurationKeys.ofRecord(
                        (String) type.getAnnotationOfType(annotation)
                                .get("value")
                                .orElseThrow(),
                        type.reflect()))
                .toList();
        if (!keys.isEmpty()) {
            try (var list = HouseRulesTest.class.getResourceAsStream("/rookery-keys.txt")) {
                var lines = new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
                var missing = keys.stream().filter(key -> !lines.contains(key)).toList();
                assertTrue(missing.isEmpty(), () -> "add to rookery-keys.txt: " + missing);
            }
        }
    }

    @Test
    void configurationIsARecordAndNotAValue() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.springframework.beans.factory.annotation.Value"));
    }

    @Test
    void dependenciesComeThroughTheConstructor() {
        check(noFields().should().beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired"));
    }

    @Test
    void jsonIsJackson3() {
        check(noClasses().should().dependOnClassesThat().resideInAPackage("com.fasterxml.jackson.databind.."));
    }

    @Test
    void namesSayWhatThingsAre() {
        check(noClasses()
                .should()
                .haveNameMatching(".*(Impl|Utils?|Helpers?|Manager|DTO|Dto|Mapper|Base|Abstract)|.*\\.Abstract\\w*"));
    }

    /** Handlers of the console answer pages for people. */
    @Test
    void handlersAreNamedApi() {
        check(classes()
                .that()
                .areAnnotatedWith("org.springframework.web.bind.annotation.RestController")
                .should()
                .haveNameMatching(".*(Api|\\.console\\.\\w*Pages?)"));
    }

    @Test
    void listenersAreNamedListener() {
        check(methods()
                .that()
                .areAnnotatedWith("org.springframework.kafka.annotation.KafkaListener")
                .should()
                .beDeclaredInClassesThat()
                .haveSimpleNameEndingWith("Listener"));
    }

    @Test
    void randomnessIsInjected() {
        check(noClasses()
                .should()
                .dependOnClassesThat(equivalentTo(Random.class).or(equivalentTo(ThreadLocalRandom.class)))
                .orShould()
                .callMethod(Math.class, "random"));
    }

    @Test
    void timeIsInjected() {
        check(noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .accessTargetWhere(describe(
                        "is now() without a clock",
                        access -> access.getTarget().getFullName().matches("java\\.time\\.\\w+\\.now\\(\\)"))));
    }

    /** Reported without a limit: a module of records for other modules is public on purpose. */
    @Test
    void publicTypesAreCounted(TestReporter reporter) {
        var types = MAIN.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(HouseRulesTest::isWritten)
                .toList();
        long open = types.stream()
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .count();
        assertFalse(types.isEmpty(), "no classes found: the rules would all hold of nothing");
        reporter.publishEntry("public types", open + " of " + types.size());
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }

    private static DescribedPredicate<JavaAccess<?>> calls(String owner, String name) {
        return JavaAccess.Predicates.target(owner(assignableTo(owner)))
                .and(JavaAccess.Predicates.target(nameMatching(name)))
                .as("call of %s.%s", owner, name);
    }

    private static boolean isWritten(JavaClass type) {
        return !type.getSimpleName().equals("package-info");
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(HouseRulesTest::outermost).orElse(type.getSimpleName());
    }
}
