// SPDX-License-Identifier: Apache-2.0
package rookery.directory.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.r2dbc.core.DatabaseClient;
import rookery.directory.DirectoryDatabase;
import rookery.directory.listing.RoomDirectory.RoomUpdate;
import rookery.directory.listing.RoomNews.Listed;
import rookery.directory.listing.RoomNews.Made;
import rookery.directory.listing.RoomNews.MemberSet;
import rookery.directory.listing.RoomNews.Redacted;
import rookery.directory.listing.RoomNews.StateSet;
import rookery.directory.listing.RoomPage.Entry;
import rookery.directory.listing.RoomPage.PagePosition;
import rookery.directory.listing.RoomPage.RoomQuery;
import rookery.directory.listing.RoomPage.Types;
import rookery.model.error.ApiException;
import rookery.model.id.EventId;
import rookery.model.id.RoomId;
import rookery.model.id.TenantId;
import rookery.model.id.TenantRoom;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;

/** Pages and searches of the room directory, compared with a scan of all rooms. */
class ListedRoomsIT {
    private static final TenantId ONE = new TenantId(1);
    private static final TenantId TWO = new TenantId(2);
    private static final UserId ADA = new UserId("@ada:one.example");
    private static final EventId EVENT = new EventId("$event");

    private static final DatabaseClient DB = DirectoryDatabase.fresh();

    private final ListedRooms rooms = new ListedRooms(DB);
    private final RoomDirectory directory = new RoomDirectory(rooms, DB);

    @BeforeEach
    void forget() {
        directory.forgetAll().block();
    }

    private static TenantRoom room(TenantId tenant, int number) {
        return new TenantRoom(tenant, new RoomId("!r%03d:one.example".formatted(number)));
    }

    private void tell(TenantRoom room, RoomNews... news) {
        directory
                .take(List.of(news).stream()
                        .map(each -> new RoomUpdate(room, each))
                        .toList())
                .block();
    }

    private static StateSet state(String type, String content) {
        return new StateSet(type, EVENT, JsonMapper.shared().readTree(content));
    }

    private void make(TenantRoom room, int joined, String name) {
        tell(
                room,
                new Made(EVENT, JsonMapper.shared().createObjectNode(), false),
                new MemberSet(ADA, true, joined),
                state("m.room.name", "{\"name\":\"" + name + "\"}"),
                new Listed(true));
    }

    private RoomPage page(RoomQuery query, int limit, @Nullable String since) {
        var place = since == null ? null : PagePosition.of(since);
        var read = Objects.requireNonNull(rooms.page(query, place, limit).block());
        return RoomPage.of(
                read, place, Objects.requireNonNull(rooms.count(query).block()));
    }

    private static RoomQuery all(TenantId tenant) {
        return new RoomQuery(tenant, "", null);
    }

    private List<String> names(RoomQuery query) {
        return page(query, 500, null).chunk().stream().map(Entry::name).toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void roomsThatStayAreToldOnceHoweverOthersChangeBetweenThePages(long seed) {
        var random = new Random(seed);
        var sizes = new TreeMap<Integer, Integer>();
        for (int i = 0; i < 60; i++) {
            sizes.put(i, random.nextInt(5)); // so that many rooms have the same size
            make(room(ONE, i), sizes.get(i), "n" + i);
            make(room(TWO, i), 3, "other");
        }
        var changed = new HashSet<RoomId>();
        var entries = new ArrayList<Entry>();
        RoomPage page = null;
        do {
            page = page(all(ONE), 7, page == null ? null : page.nextBatch());
            entries.addAll(page.chunk());
            for (int i = 0; i < 3; i++) {
                int number = random.nextInt(60);
                changed.add(room(ONE, number).room());
                tell(
                        room(ONE, number),
                        random.nextBoolean()
                                ? new MemberSet(ADA, true, random.nextInt(9))
                                : new Listed(random.nextBoolean()));
            }
        } while (page.nextBatch() != null);

        var expected = sizes.entrySet().stream()
                .sorted(Comparator.comparingInt(size -> -size.getValue()))
                .map(size -> room(ONE, size.getKey()).room())
                .filter(room -> !changed.contains(room))
                .toList();
        assertThat(entries.stream().map(Entry::roomId).filter(room -> !changed.contains(room)))
                .containsExactlyElementsOf(expected);
    }

    @Test
    void pagesLeadBackTheWayTheyCame() {
        IntStream.range(0, 25).forEach(i -> make(room(ONE, i), i % 4, "n" + i));
        var forth = new ArrayList<RoomPage>();
        String since = null;
        do {
            forth.add(page(all(ONE), 10, since));
            since = forth.getLast().nextBatch();
        } while (since != null);
        assertThat(forth).extracting(page -> page.chunk().size()).containsExactly(10, 10, 5);
        assertThat(forth.getFirst().prevBatch()).isNull();
        assertThat(forth).extracting(RoomPage::totalRoomCountEstimate).containsOnly(25L);
        var back = page(all(ONE), 10, forth.get(2).prevBatch());
        assertThat(back.chunk()).isEqualTo(forth.get(1).chunk());
        assertThat(page(all(ONE), 10, back.nextBatch()).chunk())
                .isEqualTo(forth.get(2).chunk());
        var first = page(all(ONE), 10, back.prevBatch());
        assertThat(first.chunk()).isEqualTo(forth.get(0).chunk());
        assertThat(first.prevBatch()).isNull();
    }

    @Test
    void pagesEndByBytesToo() {
        String topic = "{\"topic\":\"" + "t".repeat(60_000) + "\"}";
        IntStream.range(0, 40).forEach(i -> {
            make(room(ONE, i), i % 4, "n" + i);
            tell(room(ONE, i), state("m.room.topic", topic));
        });
        var entries = new ArrayList<Entry>();
        var sizes = new ArrayList<Integer>();
        String since = null;
        RoomPage last;
        do {
            last = page(all(ONE), 500, since);
            sizes.add(last.chunk().size());
            entries.addAll(last.chunk());
            since = last.nextBatch();
        } while (since != null);
        assertThat(sizes).allMatch(size -> size <= 18).hasSizeGreaterThan(2);
        assertThat(entries).extracting(Entry::roomId).doesNotHaveDuplicates().hasSize(40);
        var back = new ArrayList<Entry>();
        for (var before = last.prevBatch(); before != null; ) {
            var page = page(all(ONE), 500, before);
            back.addAll(0, page.chunk());
            before = page.prevBatch();
        }
        assertThat(back).isEqualTo(entries.subList(0, back.size())).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "bm9uc2Vuc2U", "biB4ICFhOmI", "biAxIG5vbnNlbnNl", "\u00e9"})
    void placesThatAreNoneAreRefused(String token) {
        assertThatThrownBy(() -> PagePosition.of(token)).isInstanceOf(ApiException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tea | Tea time,green TEA",
                "GREEN t | green TEA",
                "100% | 100%_sure",
                "0%_s | 100%_sure",
                "% | 100%_sure",
                "_ | 100%_sure",
                "\\ | back\\slash",
                "σοφος | ΣΟΦΟΣ",
                "straße | Straße",
                "STRASSE | Straße",
                "istanbul | İstanbul 🦆",
                "🦆 | İstanbul 🦆",
                "by topic | topical",
                "harbour | aliased",
                "nothing like it | ''"
            })
    void searchesFindTheTextAndNothingElse(String term, String expected) {
        var names = List.of(
                "Tea time", "green TEA", "100%_sure", "100 percent", "back\\\\slash", "ΣΟΦΟΣ", "Straße", "İstanbul 🦆");
        IntStream.range(0, names.size()).forEach(i -> make(room(ONE, i), 1, names.get(i)));
        make(room(ONE, 90), 1, "topical");
        tell(room(ONE, 90), state("m.room.topic", "{\"topic\":\"found By Topic\"}"));
        make(room(ONE, 91), 1, "aliased");
        tell(room(ONE, 91), state("m.room.canonical_alias", "{\"alias\":\"#Harbour:one.example\"}"));
        make(room(TWO, 1), 1, "tea of others");
        assertThat(String.join(",", names(new RoomQuery(ONE, term, null)))).isEqualTo(expected);
        assertThat(page(new RoomQuery(ONE, term, null), 1, null).totalRoomCountEstimate())
                .isEqualTo(expected.isEmpty() ? 0 : expected.split(",", -1).length);
    }

    @Test
    void typesAreToldApart() {
        make(room(ONE, 1), 1, "plain");
        make(room(ONE, 2), 1, "space");
        tell(room(ONE, 2), new Made(EVENT, JsonMapper.shared().readTree("{\"type\":\"m.space\"}"), false));
        assertThat(names(new RoomQuery(ONE, "", new Types(List.of(), true)))).containsExactly("plain");
        assertThat(names(new RoomQuery(ONE, "", new Types(List.of("m.space"), false))))
                .containsExactly("space");
        assertThat(names(new RoomQuery(ONE, "", new Types(List.of(), false)))).isEmpty();
        assertThat(names(new RoomQuery(ONE, "", new Types(List.of("m.space"), true))))
                .containsExactly("plain", "space");
    }

    @Test
    void roomIsShownAsItsStateIsNow() {
        make(room(ONE, 1), 2, "first");
        tell(
                room(ONE, 1),
                new StateSet(
                        "m.room.topic",
                        new EventId("$topic"),
                        JsonMapper.shared().readTree("{\"topic\":\"nul \\u0000\"}")),
                state("m.room.name", "{\"name\":\"second\"}"),
                state("m.room.join_rules", "{\"join_rule\":\"knock\"}"),
                state("m.room.history_visibility", "{\"history_visibility\":\"world_readable\"}"),
                state("m.room.guest_access", "{\"guest_access\":\"can_join\"}"),
                state("m.room.avatar", "{\"url\":7}"));
        var entry = page(all(ONE), 1, null).chunk().getFirst();
        assertThat(entry)
                .isEqualTo(new Entry(
                        room(ONE, 1).room(), 2, true, true, "second", "nul \u0000", null, null, "knock", null));
        tell(room(ONE, 1), new Redacted(new EventId("$topic")));
        assertThat(page(all(ONE), 1, null).chunk().getFirst().topic()).isNull();
        tell(room(ONE, 1), new Listed(false));
        assertThat(page(all(ONE), 1, null).chunk()).isEmpty();
    }
}
