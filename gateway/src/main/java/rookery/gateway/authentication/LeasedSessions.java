// SPDX-License-Identifier: Apache-2.0
package rookery.gateway.authentication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import rookery.model.caller.Caller.Known;
import rookery.model.id.TenantUser;

/**
 * Answers of auth-service to questions that were asked under a lease, by token and by user; the least recently used answers go
 * first. An answer is used under the same lease only, for five minutes at most, never after the end of its token, and only for
 * client addresses that auth-service has seen.
 */
final class LeasedSessions {
    private static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final int CHANGED_USERS_MAX = 10_000;
    private static final int ADDRESSES_MAX = 4;
    /** The size of an entry without its text, estimated from above. */
    private static final int ENTRY_BYTES = 600;

    private final int sessionsMax;
    private final long bytesMax;
    private final LongSupplier nanos;
    /** The least recently used entry first. */
    private final LinkedHashMap<TokenHash, Entry> byToken = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<TenantUser, Set<TokenHash>> byUser = new HashMap<>();
    private final ChangedUsers changed = new ChangedUsers(CHANGED_USERS_MAX);
    private long bytes;

    LeasedSessions(int sessionsMax, long bytesMax, LongSupplier nanos) {
        this.sessionsMax = sessionsMax;
        this.bytesMax = bytesMax;
        this.nanos = nanos;
    }

    /** The session of a token under this lease for a client at this address, or null. */
    synchronized @Nullable Known get(TokenHash token, String lease, String address) {
        var entry = byToken.get(token);
        return entry != null
                        && entry.lease.equals(lease)
                        && entry.until - nanos.getAsLong() > 0
                        && entry.addresses.contains(address)
                ? entry.session
                : null;
    }

    /**
     * Keeps an answer, unless the user's sessions have changed since the question.
     *
     * @param lifeNanos the life of the token from the question on
     */
    synchronized boolean put(Question question, TokenHash token, Known session, long lifeNanos) {
        var user = new TenantUser(token.tenant(), session.user());
        if (changed.isDoubtful(user, question.askedAt)) {
            return false;
        }
        var before = remove(token);
        var addresses = new ArrayList<>(List.of(question.address));
        if (before != null && before.lease.equals(question.lease)) {
            before.addresses.stream()
                    .filter(address -> !address.equals(question.address))
                    .limit(ADDRESSES_MAX - 1)
                    .forEach(addresses::add);
        }
        var entry = new Entry(
                session, question.lease, question.askedAt + Math.min(LIFE_NANOS, lifeNanos), List.copyOf(addresses));
        byToken.put(token, entry);
        byUser.computeIfAbsent(user, _ -> new HashSet<>()).add(token);
        bytes += entry.bytes();
        while (byToken.size() > sessionsMax || bytes > bytesMax) {
            remove(byToken.firstEntry().getKey());
        }
        return true;
    }

    /** Removes the user's sessions; answers to earlier questions about the user are not kept either. */
    synchronized void change(TenantUser user) {
        changed.add(user, nanos.getAsLong());
        List.copyOf(byUser.getOrDefault(user, Set.of())).forEach(this::remove);
    }

    synchronized void clear() {
        byToken.clear();
        byUser.clear();
        bytes = 0;
    }

    synchronized int size() {
        return byToken.size();
    }

    private @Nullable Entry remove(TokenHash token) {
        var entry = byToken.remove(token);
        if (entry == null) {
            return null;
        }
        bytes -= entry.bytes();
        byUser.computeIfPresent(new TenantUser(token.tenant(), entry.session.user()), (_, tokens) -> {
            tokens.remove(token);
            return tokens.isEmpty() ? null : tokens;
        });
        return entry;
    }

    /**
     * A question to auth-service.
     *
     * @param lease under which the question was asked
     * @param askedAt the monotonic time just before the question
     * @param address of the client, which auth-service records
     */
    record Question(String lease, long askedAt, String address) {}

    private record Entry(Known session, String lease, long until, List<String> addresses) {
        long bytes() {
            int chars =
                    session.user().value().length() + session.device().value().length();
            for (var address : addresses) {
                chars += address.length();
            }
            return ENTRY_BYTES + 2L * chars;
        }
    }
}
