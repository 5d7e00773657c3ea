package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.token.Positions;

/**
 * What push-service has said of all rooms of a user, and whether it must be asked for all of them once more. Each change makes another
 * one; none looks at anything else.
 */
sealed interface WholeAnswer {
    /** Push-service was not asked, and nothing was needed of it. */
    static WholeAnswer none() {
        return new Settled(null);
    }

    /** Where its last answer stands; null if there was none. */
    @Nullable
    Positions at();

    /** Whether somebody was told of rooms of which nothing was known. */
    boolean isGuessed();

    /** All rooms must be asked for. */
    Open open();

    /** The user is told of a room by what is known now. */
    WholeAnswer told();

    /**
     * Rules or ignore list are others. Push-service may not have heard of it, and what it says as of a position before {@code counted}
     * may come from the older ones.
     */
    Open changed(Positions counted);

    /**
     * Push-service has answered, perhaps about some rooms only.
     *
     * @param hasHeard whether it knows the rules and the ignore list that are known here
     * @param counted how far it has counted by now
     */
    WholeAnswer heard(boolean hasHeard, Positions counted);

    /** Push-service has answered for all rooms as of these positions, which must be news. */
    WholeAnswer answered(Positions told);

    /** Whether an answer as of these positions is not from before the last one. */
    default boolean isNews(Positions told) {
        var last = at();
        return last == null || told.isAtLeast(last);
    }

    /** Nothing must be asked. */
    record Settled(@Nullable Positions at) implements WholeAnswer {
        @Override
        public boolean isGuessed() {
            return false;
        }

        @Override
        public Open open() {
            return new Open(at, null, false, false);
        }

        @Override
        public WholeAnswer told() {
            return this;
        }

        @Override
        public Open changed(Positions counted) {
            return open().changed(counted);
        }

        @Override
        public WholeAnswer heard(boolean hasHeard, Positions counted) {
            return hasHeard ? this : new Open(at, null, false, true);
        }

        @Override
        public WholeAnswer answered(Positions told) {
            return open().answered(told);
        }
    }

    /**
     * All rooms must be asked for.
     *
     * @param finalFrom what push-service says as of there or later is final; null for whatever it says
     * @param isUnheard whether push-service may still judge by older rules, or count with an older ignore list, than are known here
     */
    record Open(@Nullable Positions at, @Nullable Positions finalFrom, boolean isGuessed, boolean isUnheard)
            implements WholeAnswer {
        @Override
        public Open open() {
            return this;
        }

        @Override
        public Open told() {
            return isGuessed ? this : new Open(at, finalFrom, true, isUnheard);
        }

        @Override
        public Open changed(Positions counted) {
            return new Open(at, counted, isGuessed, true);
        }

        /** What push-service says as of an earlier position of the shard is not final. */
        Open notBefore(int shards, int shard, long pos) {
            var known = finalFrom == null ? Positions.zero(shards) : finalFrom;
            return new Open(at, known.with(shard, Math.max(known.at(shard), pos)), isGuessed, isUnheard);
        }

        @Override
        public Open heard(boolean hasHeard, Positions counted) {
            if (!isUnheard || !hasHeard) {
                return new Open(at, finalFrom, isGuessed, !hasHeard);
            }
            // what it had counted before it heard must be asked once more
            return new Open(at, finalFrom == null ? counted : finalFrom.max(counted), isGuessed, false);
        }

        @Override
        public WholeAnswer answered(Positions told) {
            boolean isFinal = !isUnheard && (finalFrom == null || told.isAtLeast(finalFrom));
            return isFinal ? new Settled(told) : new Open(told, finalFrom, true, isUnheard);
        }
    }
}
