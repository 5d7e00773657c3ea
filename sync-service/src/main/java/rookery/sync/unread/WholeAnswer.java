// SPDX-License-Identifier: Apache-2.0
package rookery.sync.unread;

import org.jspecify.annotations.Nullable;
import rookery.model.token.Positions;

/** Push-service's last answer for all rooms of a user, and whether to ask for all rooms again. Immutable. */
sealed interface WholeAnswer {
    /** Push-service has not been asked, and there is no doubt. */
    static WholeAnswer none() {
        return new Settled(null);
    }

    /** The positions of the last answer; null before the first. */
    @Nullable
    Positions at();

    /** Whether the user has received counts of rooms without state. */
    boolean isGuessed();

    /** All rooms are in doubt. */
    Open open();

    /** The user receives a room's counts, as known now. */
    WholeAnswer delivered();

    /** Rules or ignore list have changed: counts as of positions before {@code counted} may be outdated. */
    Open changed(Positions counted);

    /** Push-service has answered, with or without knowledge of the settings, and has counted up to the positions. */
    WholeAnswer responded(boolean knowsSettings, Positions counted);

    /** Push-service has answered for all rooms as of the positions, which must be news. */
    WholeAnswer answered(Positions positions);

    /** Whether the positions are not before the last answer's. */
    default boolean isNews(Positions positions) {
        var last = at();
        return last == null || positions.isAtLeast(last);
    }

    /** All rooms are settled. */
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
        public WholeAnswer delivered() {
            return this;
        }

        @Override
        public Open changed(Positions counted) {
            return open().changed(counted);
        }

        @Override
        public WholeAnswer responded(boolean knowsSettings, Positions counted) {
            return knowsSettings ? this : new Open(at, null, false, true);
        }

        @Override
        public WholeAnswer answered(Positions positions) {
            return open().answered(positions);
        }
    }

    /** All rooms are in doubt; counts are final from {@code finalFrom} on, or (null) as of any positions. */
    record Open(@Nullable Positions at, @Nullable Positions finalFrom, boolean isGuessed, boolean areSettingsUnknown)
            implements WholeAnswer {
        @Override
        public Open open() {
            return this;
        }

        @Override
        public Open delivered() {
            return isGuessed ? this : new Open(at, finalFrom, true, areSettingsUnknown);
        }

        @Override
        public Open changed(Positions counted) {
            return new Open(at, counted, isGuessed, true);
        }

        /** Push-service's counts before the position of the shard are not final. */
        Open notBefore(int shards, int shard, long pos) {
            var earlier = finalFrom == null ? Positions.zero(shards) : finalFrom;
            return new Open(at, earlier.with(shard, Math.max(earlier.at(shard), pos)), isGuessed, areSettingsUnknown);
        }

        @Override
        public Open responded(boolean knowsSettings, Positions counted) {
            if (!areSettingsUnknown || !knowsSettings) {
                return new Open(at, finalFrom, isGuessed, !knowsSettings);
            }
            // counts made before push-service knew the new settings are provisional
            return new Open(at, finalFrom == null ? counted : finalFrom.max(counted), isGuessed, false);
        }

        @Override
        public WholeAnswer answered(Positions positions) {
            boolean isFinal = !areSettingsUnknown && (finalFrom == null || positions.isAtLeast(finalFrom));
            return isFinal ? new Settled(positions) : new Open(positions, finalFrom, true, areSettingsUnknown);
        }
    }
}
