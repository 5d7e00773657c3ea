// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The rooms of the workload {@code life}, always the same for the same numbers of accounts, connected users and small rooms. */
final class LifeRooms {
    private static final long SEED = 39;
    private static final List<Integer> SMALL_SIZES = List.of(2, 2, 2, 3, 3, 4, 5, 6, 8, 10);
    private static final int MIDDLE_ROOMS = 10;
    private static final int MIDDLE_SIZE = 30;
    private static final int LARGE_ROOMS = 4;
    private static final int LARGE_SIZE = 100;

    private static final double SMALL_SHARE = 0.8;
    private static final double MIDDLE_SHARE = 0.15;
    private static final double LARGE_SHARE = 0.046; // the rest goes into the room of all accounts

    private final List<List<Integer>> small = new ArrayList<>();
    private final List<List<Integer>> middle = new ArrayList<>();
    private final List<List<Integer>> large = new ArrayList<>();
    private final List<Integer> everybody;

    /**
     * Chooses the members.
     *
     * @param connected the accounts below this number are connected users; each room has at least one
     */
    LifeRooms(int accounts, int connected, int smallRooms) {
        if (connected < 1 || connected > accounts || accounts < SMALL_SIZES.getLast() || smallRooms < 1) {
            throw new IllegalArgumentException("needs 10 accounts, a small room, and 1 to all accounts connected");
        }
        var random = new SplittableRandom(SEED);
        for (int i = 0; i < smallRooms; i++) {
            small.add(members(random, i % connected, SMALL_SIZES.get(i % SMALL_SIZES.size()), accounts));
        }
        for (int i = 0; i < MIDDLE_ROOMS; i++) {
            middle.add(members(random, i % connected, Math.min(MIDDLE_SIZE, accounts), accounts));
        }
        for (int i = 0; i < LARGE_ROOMS; i++) {
            large.add(members(random, i % connected, Math.min(LARGE_SIZE, accounts), accounts));
        }
        var all = new ArrayList<Integer>();
        for (int i = 0; i < accounts; i++) {
            all.add(i);
        }
        everybody = List.copyOf(all);
    }

    private static List<Integer> members(RandomGenerator random, int creator, int size, int accounts) {
        var members = new LinkedHashSet<Integer>(List.of(creator));
        while (members.size() < size) {
            members.add(random.nextInt(accounts));
        }
        return List.copyOf(members);
    }

    /** The members of all rooms by the number of their account, the creator first. */
    List<List<Integer>> all() {
        var all = new ArrayList<>(small);
        all.addAll(middle);
        all.addAll(large);
        all.add(everybody);
        return all;
    }

    /** The index in {@link #all()} of the room of the next message. */
    int next(RandomGenerator random) {
        double share = random.nextDouble();
        if (share < SMALL_SHARE) {
            return random.nextInt(small.size());
        }
        if (share < SMALL_SHARE + MIDDLE_SHARE) {
            return small.size() + random.nextInt(middle.size());
        }
        return share < SMALL_SHARE + MIDDLE_SHARE + LARGE_SHARE
                ? small.size() + middle.size() + random.nextInt(large.size())
                : small.size() + middle.size() + large.size();
    }
}
