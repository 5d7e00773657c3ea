// SPDX-License-Identifier: Apache-2.0
package rookery.room.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static rookery.room.authorization.TestRoom.ADA;
import static rookery.room.authorization.TestRoom.BOB;
import static rookery.room.authorization.TestRoom.EVE;
import static rookery.room.authorization.TestRoom.MOD;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import rookery.model.event.Membership;
import rookery.model.event.RoomVersion;
import rookery.model.id.UserId;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** contract.md 9.4, rule by rule, for each room version. */
@ParameterizedClass
@EnumSource(RoomVersion.class)
class AuthRulesTest {
    private final RoomVersion version;

    AuthRulesTest(RoomVersion version) {
        this.version = version;
    }

    private TestRoom room() {
        return new TestRoom(version);
    }

    private boolean allowsCreation(ObjectNode content) {
        return room().notCreated().allows(new Candidate("m.room.create", "", ADA, content));
    }

    @Test
    void aRoomIsCreatedOnceAndWithASupportedVersion() {
        assertThat(allowsCreation(TestRoom.creation(version))).isTrue();
        assertThat(allowsCreation(TestRoom.creation(version).put("room_version", "13")))
                .isFalse();
        assertThat(allowsCreation(TestRoom.creation(version).put("room_version", Integer.parseInt(version.id))))
                .isFalse();
        assertThat(allowsCreation(TestRoom.json("{}"))).isFalse();
        assertThat(room().allows(new Candidate("m.room.create", "", ADA, TestRoom.creation(version))))
                .isFalse();
    }

    @Test
    void onlyVersion10NeedsTheCreatorInTheContent() {
        var content = TestRoom.creation(version);
        content.remove("creator");
        assertThat(allowsCreation(content)).isEqualTo(version != RoomVersion.V10);
        assertThat(allowsCreation(content.put("creator", BOB.value()))).isEqualTo(version != RoomVersion.V10);
    }

    @Test
    void onlyVersion12NeedsAdditionalCreatorsToBeUserIds() {
        for (String creators : List.of(
                "{}", "null", "\"@bob:example.org\"", "[1]", "[\"bob\"]", "[\"@Bob:example.org\"]", "[[]]", "[null]")) {
            var content = TestRoom.creation(version);
            content.set("additional_creators", JsonMapper.shared().readTree(creators));
            assertThat(allowsCreation(content)).as(creators).isEqualTo(version != RoomVersion.V12);
        }
        assertThat(allowsCreation(TestRoom.creation(version, BOB, BOB, new UserId("@x:elsewhere.example"))))
                .isTrue();
    }

    @Test
    void onlyFromVersion12OnCreatorsHaveMorePowerThanAnyNumber() {
        boolean isUnbounded = version == RoomVersion.V12;
        String most = "{\"users\":{\"@mod:example.org\":9007199254740991},\"kick\":9007199254740991,"
                + "\"ban\":9007199254740991,\"state_default\":9007199254740991,\"invite\":9007199254740991}";
        var room = new TestRoom(version, BOB).powerLevels(most);
        for (var creator : List.of(ADA, BOB)) {
            assertThat(room.allowsState(creator, "m.room.name", "", "{}")).isEqualTo(isUnbounded);
            assertThat(room.allowsMember(creator, MOD, "leave")).isEqualTo(isUnbounded);
            assertThat(room.allowsMember(creator, MOD, "ban")).isEqualTo(isUnbounded);
            assertThat(room.allowsMember(creator, EVE, "invite")).isEqualTo(isUnbounded);
            assertThat(room.allowsLevels(creator, "{}")).isEqualTo(isUnbounded);
            assertThat(room.allowsMember(MOD, creator, "leave")).isEqualTo(!isUnbounded);
            assertThat(room.allowsMember(MOD, creator, "ban")).isEqualTo(!isUnbounded);
        }
        assertThat(room.allowsMember(ADA, BOB, "leave")).isFalse();
        assertThat(room.allowsMember(BOB, ADA, "ban")).isFalse();
        assertThat(room.allowsMember(BOB, BOB, "leave")).isTrue();
    }

    @Test
    void nothingHappensBeforeTheCreation() {
        assertThat(room().notCreated().allowsMessage(ADA)).isFalse();
        assertThat(room().notCreated().allowsMember(ADA, ADA, "join")).isFalse();
    }

    @Test
    void theCreatorAloneJoinsFirst() {
        assertThat(room().justCreated().allowsMember(ADA, ADA, "join")).isTrue();
        assertThat(room().justCreated().allowsMember(BOB, BOB, "join")).isFalse();
        assertThat(room().justCreated().allowsMember(BOB, ADA, "join")).isFalse();
        assertThat(room().with(ADA, Membership.LEAVE).allowsMember(ADA, ADA, "join"))
                .isFalse();
    }

    @Test
    void nobodyJoinsForSomebodyElse() {
        assertThat(room().joinRule("public").allowsMember(ADA, EVE, "join")).isFalse();
    }

    @Test
    void theJoinRuleSaysWhoComesIn() {
        for (String rule : List.of("public", "invite", "knock", "restricted", "knock_restricted", "private", "new")) {
            var room = room().joinRule(rule);
            assertThat(room.allowsMember(EVE, EVE, "join")).as(rule).isEqualTo(rule.equals("public"));
            boolean invitable = !rule.equals("private") && !rule.equals("new");
            assertThat(room.with(EVE, Membership.INVITE).allowsMember(EVE, EVE, "join"))
                    .as(rule)
                    .isEqualTo(invitable);
            assertThat(room.with(EVE, Membership.JOIN).allowsMember(EVE, EVE, "join"))
                    .as(rule)
                    .isEqualTo(invitable);
            assertThat(room.with(EVE, Membership.KNOCK).allowsMember(EVE, EVE, "join"))
                    .as(rule)
                    .isEqualTo(rule.equals("public"));
            assertThat(room.with(EVE, Membership.BAN).allowsMember(EVE, EVE, "join"))
                    .as(rule)
                    .isFalse();
        }
    }

    @Test
    void aRestrictedJoinNeedsItsConditionAndAMemberWhoMayInvite() {
        for (String rule : List.of("restricted", "knock_restricted")) {
            assertThat(restrictedJoin(rule, MOD.value(), true)).isTrue();
            assertThat(restrictedJoin(rule, MOD.value(), false)).isFalse();
            assertThat(restrictedJoin(rule, BOB.value(), true))
                    .as("may not invite")
                    .isFalse();
            assertThat(restrictedJoin(rule, "@gone:example.org", true))
                    .as("not in the room")
                    .isFalse();
            assertThat(restrictedJoin(rule, "nonsense", true)).isFalse();
        }
        assertThat(restrictedJoin("invite", MOD.value(), true)).isFalse();
    }

    private boolean restrictedJoin(String rule, String sponsor, boolean met) {
        var content =
                TestRoom.json("{\"membership\":\"join\",\"join_authorised_via_users_server\":\"" + sponsor + "\"}");
        return room().joinRule(rule).allows(new Candidate("m.room.member", EVE.value(), EVE, content, met));
    }

    @Test
    void invitingTakesMembershipPowerAndSomebodyOutside() {
        assertThat(room().allowsMember(MOD, EVE, "invite")).isTrue();
        assertThat(room().allowsMember(BOB, EVE, "invite")).as("power").isFalse();
        assertThat(room().with(MOD, Membership.LEAVE).allowsMember(MOD, EVE, "invite"))
                .isFalse();
        assertThat(room().allowsMember(MOD, BOB, "invite")).as("joined").isFalse();
        assertThat(room().with(EVE, Membership.BAN).allowsMember(MOD, EVE, "invite"))
                .isFalse();
        assertThat(room().with(EVE, Membership.KNOCK).allowsMember(MOD, EVE, "invite"))
                .isTrue();
        assertThat(room().with(EVE, Membership.INVITE).allowsMember(MOD, EVE, "invite"))
                .isTrue();
        assertThat(room().allowsState(
                                MOD,
                                "m.room.member",
                                EVE.value(),
                                "{\"membership\":\"invite\",\"third_party_invite\":{}}"))
                .isFalse();
        assertThat(room().withoutPowerLevels().allowsMember(BOB, EVE, "invite"))
                .as("invite is 0 then")
                .isTrue();
    }

    @Test
    void whoCannotBeInvitedIsSaidTo() {
        var joined = new Candidate("m.room.member", BOB.value(), MOD, TestRoom.json("{\"membership\":\"invite\"}"));
        assertThat(room().refusal(joined)).contains("in the room already");
        assertThat(room().with(BOB, Membership.BAN).refusal(joined)).contains("banned");
    }

    @Test
    void oneLeavesWhatOneIsInside() {
        for (var membership : Membership.values()) {
            boolean inside = membership != Membership.LEAVE && membership != Membership.BAN;
            assertThat(room().with(BOB, membership).allowsMember(BOB, BOB, "leave"))
                    .isEqualTo(inside);
        }
    }

    @Test
    void kickingTakesMorePowerThanTheOther() {
        assertThat(room().allowsMember(MOD, BOB, "leave")).isTrue();
        assertThat(room().allowsMember(ADA, MOD, "leave")).isTrue();
        assertThat(room().allowsMember(MOD, ADA, "leave")).isFalse();
        assertThat(room().allowsMember(MOD, MOD, "leave")).as("oneself").isTrue();
        assertThat(room().allowsMember(BOB, EVE, "leave")).isFalse();
        assertThat(room().with(MOD, Membership.INVITE).allowsMember(MOD, BOB, "leave"))
                .isFalse();
        assertThat(room().powerLevels("{\"users\":{\"@mod:example.org\":49}}").allowsMember(MOD, BOB, "leave"))
                .isFalse();
        String peers = "{\"users\":{\"@mod:example.org\":50,\"@bob:example.org\":50}}";
        assertThat(room().powerLevels(peers).allowsMember(MOD, BOB, "leave")).isFalse();
    }

    @Test
    void liftingABanTakesThePowerToBanAndToKick() {
        String strictBan = "{\"users\":{\"@mod:example.org\":50},\"ban\":60}";
        String strictKick = "{\"users\":{\"@mod:example.org\":50},\"kick\":60}";
        assertThat(room().with(EVE, Membership.BAN).allowsMember(MOD, EVE, "leave"))
                .isTrue();
        assertThat(room().with(EVE, Membership.BAN).powerLevels(strictBan).allowsMember(MOD, EVE, "leave"))
                .isFalse();
        assertThat(room().with(EVE, Membership.BAN).powerLevels(strictKick).allowsMember(MOD, EVE, "leave"))
                .isFalse();
        assertThat(room().powerLevels(strictBan).allowsMember(MOD, BOB, "leave"))
                .as("a kick")
                .isTrue();
    }

    @Test
    void banningTakesMorePowerThanTheOther() {
        assertThat(room().allowsMember(MOD, BOB, "ban")).isTrue();
        assertThat(room().allowsMember(MOD, EVE, "ban")).as("who is outside").isTrue();
        assertThat(room().allowsMember(BOB, EVE, "ban")).isFalse();
        assertThat(room().allowsMember(MOD, ADA, "ban")).isFalse();
        assertThat(room().allowsMember(MOD, MOD, "ban")).isFalse();
        assertThat(room().with(MOD, Membership.LEAVE).allowsMember(MOD, BOB, "ban"))
                .isFalse();
        assertThat(room().powerLevels("{\"users\":{\"@mod:example.org\":50},\"ban\":51}")
                        .allowsMember(MOD, BOB, "ban"))
                .isFalse();
    }

    @Test
    void knockingTakesARuleThatAllowsIt() {
        for (String rule : List.of("knock", "knock_restricted")) {
            assertThat(room().joinRule(rule).allowsMember(EVE, EVE, "knock")).isTrue();
            assertThat(room().joinRule(rule).with(EVE, Membership.KNOCK).allowsMember(EVE, EVE, "knock"))
                    .isTrue();
            assertThat(room().joinRule(rule).allowsMember(ADA, EVE, "knock")).isFalse();
            for (var membership : List.of(Membership.BAN, Membership.INVITE, Membership.JOIN)) {
                assertThat(room().joinRule(rule).with(EVE, membership).allowsMember(EVE, EVE, "knock"))
                        .isFalse();
            }
        }
        for (String rule : List.of("public", "invite", "restricted", "private")) {
            assertThat(room().joinRule(rule).allowsMember(EVE, EVE, "knock"))
                    .as(rule)
                    .isFalse();
        }
    }

    @Test
    void memberEventsNeedAUserAndAKnownMembership() {
        assertThat(room().allowsState(ADA, "m.room.member", "nobody", "{\"membership\":\"join\"}"))
                .isFalse();
        assertThat(room().allowsState(ADA, "m.room.member", ADA.value(), "{}")).isFalse();
        assertThat(room().allowsState(ADA, "m.room.member", ADA.value(), "{\"membership\":1}"))
                .isFalse();
        assertThat(room().allowsState(ADA, "m.room.member", ADA.value(), "{\"membership\":\"visit\"}"))
                .isFalse();
        assertThat(room().allows(new Candidate("m.room.member", null, ADA, TestRoom.json("{\"membership\":\"join\"}"))))
                .isFalse();
    }

    @Test
    void onlyMembersWithEnoughPowerSend() {
        String strict =
                "{\"users\":{\"@mod:example.org\":50},\"events\":{\"m.room.message\":50},\"events_default\":10}";
        assertThat(room().allowsMessage(BOB)).isTrue();
        assertThat(room().allowsMessage(EVE)).isFalse();
        assertThat(room().with(BOB, Membership.INVITE).allowsMessage(BOB)).isFalse();
        assertThat(room().powerLevels(strict).allowsMessage(BOB)).isFalse();
        assertThat(room().powerLevels(strict).allowsMessage(MOD)).isTrue();
        assertThat(room().powerLevels("{\"events_default\":1}").allowsMessage(BOB))
                .isFalse();
        assertThat(room().powerLevels("{\"users_default\":1,\"events_default\":1}")
                        .allowsMessage(BOB))
                .isTrue();
    }

    @Test
    void stateTakesThePowerForStateUnlessItsTypeSaysOtherwise() {
        assertThat(room().allowsState(MOD, "m.room.name", "", "{}")).isTrue();
        assertThat(room().allowsState(BOB, "m.room.name", "", "{}")).isFalse();
        assertThat(room().powerLevels("{\"events\":{\"m.room.name\":0}}").allowsState(BOB, "m.room.name", "", "{}"))
                .isTrue();
        assertThat(room().powerLevels("{\"state_default\":0}").allowsState(BOB, "m.room.name", "", "{}"))
                .isTrue();
        assertThat(room().withoutPowerLevels().allowsState(BOB, "m.room.name", "", "{}"))
                .isFalse();
        assertThat(room().withoutPowerLevels().allowsState(ADA, "m.room.name", "", "{}"))
                .isTrue();
    }

    @Test
    void stateNamedAfterAUserIsThatUsers() {
        var room = room().powerLevels("{\"state_default\":0}");
        assertThat(room.allowsState(BOB, "org.mine", BOB.value(), "{}")).isTrue();
        assertThat(room.allowsState(ADA, "org.mine", BOB.value(), "{}")).isFalse();
        assertThat(room.allowsState(BOB, "org.mine", "bob", "{}")).isTrue();
    }

    @Test
    void thirdPartyInvitesTakeThePowerToInvite() {
        assertThat(room().allowsState(MOD, "m.room.third_party_invite", "t", "{}"))
                .isTrue();
        assertThat(room().allowsState(BOB, "m.room.third_party_invite", "t", "{}"))
                .isFalse();
        assertThat(room().powerLevels("{\"invite\":0}").allowsState(BOB, "m.room.third_party_invite", "t", "{}"))
                .isTrue();
    }
}
