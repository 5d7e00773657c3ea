// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.fault;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Locale;

/**
 * A fault of a sync node: in one method, a call is replaced by a call of {@link Replacements} while the class is loaded. The
 * constants name classes and methods of sync-service; a test fails after a rename.
 */
public enum SyncFault {
    /** Every fiftieth event is skipped. */
    SKIP("inbox/RoomFeed", "hold", "ring/RoomRing", "add"),
    /** Every fiftieth event is delivered twice. */
    TWICE("inbox/RoomFeed", "hold", "ring/RoomRing", "add"),
    /** Redacted content stays in memory. */
    REDACTED_BODY("inbox/RoomFeed", "hold", "ring/RoomRing", "add"),
    /** A ring with a few events pretends to be complete. */
    SHORT_RING("inbox/RoomFeed", "hold", "ring/RoomRing", "add"),
    /** The entries of a unit are delivered separately. */
    CUT_UNIT("inbox/RoomFeed", "apply", "inbox/RoomFeed", "take"),
    /** Requests register for changes after reading. */
    LATE_LISTENER("sync/Syncer", "rung", "", "") {
        @Override
        CodeTransform change() {
            return new CodeTransform() {
                @Override
                public void atStart(CodeBuilder code) {
                    code.aload(1); // the poll
                    call(code);
                    code.astore(2); // the signal
                }

                @Override
                public void accept(CodeBuilder code, CodeElement element) {
                    code.with(element);
                }
            };
        }
    },
    /** No timeline is marked as limited. */
    NEVER_LIMITED("answer/streams/TimelineStream", "writeEvents", "ring/RoomPart", "limited"),
    /** Unread counts are too low by one. */
    MISCOUNT("answer/counts/UnreadStream", "write", "unread/Counts$Tally", "notifications"),
    /** A room with news outside of the window counts as received. */
    FORGOTTEN_ROOM("sliding/Plan", "noteOthers", "sliding/Plan", "leaveFor"),
    /** A connection has one state, which each answer overwrites, also an answer that gets lost. */
    OVERWRITTEN_STATE("sliding/KnownStates", "find", "sliding/KnownStates", "known");

    private static final String SYNC = "rookery/sync/";

    private final String type;
    private final String method;
    private final String calledType;
    private final String called;

    SyncFault(String type, String method, String calledType, String called) {
        this.type = SYNC + type;
        this.method = method;
        this.calledType = SYNC + calledType;
        this.called = called;
    }

    /** The fault of a name such as {@code late-listener}. */
    public static SyncFault named(String name) {
        return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** Whether the fault changes this class. */
    boolean isIn(String internalName) {
        return internalName.equals(type);
    }

    /** The internal name of the changed class. */
    String type() {
        return type;
    }

    /** Returns the changed class. Throws an IllegalStateException when the class lacks the expected call. */
    byte[] putInto(byte[] bytes) {
        var file = ClassFile.of();
        var before = file.parse(bytes);
        byte[] after = file.transformClass(
                before,
                ClassTransform.transformingMethodBodies(
                        found -> found.methodName().equalsString(method), change()));
        boolean isThere = file.parse(after).methods().stream()
                .flatMap(found -> found.code().stream())
                .flatMap(code -> code.elementStream())
                .anyMatch(element -> element instanceof InvokeInstruction call
                        && call.owner().asSymbol().equals(replacements()));
        if (!isThere) {
            throw new IllegalStateException("the fault %s finds no place in %s.%s".formatted(this, type, method));
        }
        return after;
    }

    CodeTransform change() {
        return (code, element) -> {
            if (element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals(calledType)
                    && call.name().equalsString(called)) {
                call(code);
            } else {
                code.with(element);
            }
        };
    }

    /** Adds a call of the method of {@link Replacements} with the fault's name. */
    void call(CodeBuilder code) {
        var words = name().toLowerCase(Locale.ROOT).split("_");
        var name = new StringBuilder(words[0]);
        for (var word : Arrays.asList(words).subList(1, words.length)) {
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        var replacement = Arrays.stream(Replacements.class.getMethods())
                .filter(candidate -> candidate.getName().contentEquals(name))
                .findFirst()
                .orElseThrow();
        var descriptor = MethodType.methodType(replacement.getReturnType(), replacement.getParameterTypes())
                .toMethodDescriptorString();
        code.invokestatic(replacements(), name.toString(), MethodTypeDesc.ofDescriptor(descriptor));
    }

    private static ClassDesc replacements() {
        return ClassDesc.of(Replacements.class.getName());
    }
}
