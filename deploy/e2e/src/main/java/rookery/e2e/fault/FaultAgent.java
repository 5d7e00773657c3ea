// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** A Java agent that injects a fault into the classes of a sync node while they are loaded. */
public final class FaultAgent {
    private static final int WRONG = 3;

    private FaultAgent() {}

    /** The JVM flag that injects the fault into a sync node. */
    public static String flag(SyncFault fault) {
        return "-javaagent:" + jar() + "=" + fault.name();
    }

    /** Called by the JVM before the main method. */
    public static void premain(String fault, Instrumentation jvm) {
        System.err.println("this process is broken on purpose: " + fault);
        jvm.addTransformer(new Transformer(SyncFault.valueOf(fault)));
    }

    private record Transformer(SyncFault fault) implements ClassFileTransformer {
        @Override
        public byte @Nullable [] transform(
                @Nullable ClassLoader loader,
                @Nullable String name,
                @Nullable Class<?> redefined,
                @Nullable ProtectionDomain domain,
                byte[] bytes) {
            if (name == null || !fault.isIn(name)) {
                return null;
            }
            try {
                return fault.putInto(bytes);
            } catch (RuntimeException | LinkageError e) { // the JVM would ignore the exception silently
                System.err.println("the fault could not be put in: " + e);
                Runtime.getRuntime().halt(WRONG);
                return null;
            }
        }
    }

    /** A jar with the classes of this package, which are missing on the node's class path. */
    private static Path jar() {
        try {
            var jar = Files.createTempFile("rookery-fault", ".jar");
            jar.toFile().deleteOnExit();
            var manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            manifest.getMainAttributes().putValue("Premain-Class", FaultAgent.class.getName());
            try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
                for (var type : List.of(FaultAgent.class, SyncFault.class, Replacements.class)) {
                    for (var member : type.getNestMembers()) {
                        add(out, member);
                    }
                }
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(JarOutputStream out, Class<?> type) throws IOException {
        var name = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new JarEntry(name));
        try (var in = FaultAgent.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IOException("no class " + name);
            }
            in.transferTo(out);
        }
    }
}
