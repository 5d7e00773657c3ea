// SPDX-License-Identifier: Apache-2.0
package rookery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The line that a person reads of a server that did not start. */
class ChildTest {
    @Test
    void whatTheOperatingSystemRefusedIsTheReason() {
        assertThat(Child.reason("""
                        2026-01-01 00:00:00.000 ERROR o.a.k.s.f.LoggingFaultHandler Encountered fatal fault: Error starting LogManager
                        java.nio.file.FileSystemException: /srv/kafka/data/x.checkpoint.tmp: No space left on device
                        \tat java.base/sun.nio.fs.UnixException.translateToIOException(UnixException.java:100)
                        \t... 12 more
                        Exception in thread "main" java.lang.RuntimeException: shutting down
                        \tat kafka.Kafka.main(Kafka.scala:1)
                        """))
                .isEqualTo(
                        "java.nio.file.FileSystemException: /srv/kafka/data/x.checkpoint.tmp: No space left on device");
    }

    @Test
    void theRootOfTheLastExceptionIsTheReasonOtherwise() {
        assertThat(Child.reason("""
                        Exception in thread "main" java.lang.ExceptionInInitializerError
                        \tat rookery.Main.main(Main.java:1)
                        Caused by: java.lang.IllegalArgumentException: the first
                        \tat rookery.Main.main(Main.java:2)
                        Caused by: java.lang.IllegalArgumentException: No enum constant SASL_PLAİNTEXT
                        \t... 1 more
                        """)).isEqualTo("java.lang.IllegalArgumentException: No enum constant SASL_PLAİNTEXT");
    }

    @Test
    void theLastLinesAreTheReasonOfWhoThrowsNothing() {
        assertThat(Child.reason("one\ntwo\n\nthree\nfour\n")).isEqualTo("two | three | four");
        assertThat(Child.reason("")).isEmpty();
    }
}
