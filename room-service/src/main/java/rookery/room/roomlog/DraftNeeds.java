// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import rookery.model.event.EventTypes;
import rookery.model.id.TenantUser;
import rookery.model.id.UserId;
import rookery.room.draft.MemberAction;
import rookery.room.draft.RoomDraft;
import rookery.room.draft.RoomDraft.OfBans;
import rookery.room.draft.RoomDraft.OfCreation;
import rookery.room.draft.RoomDraft.OfDelayed;
import rookery.room.draft.RoomDraft.OfDeviceList;
import rookery.room.draft.RoomDraft.OfEvent;
import rookery.room.draft.RoomDraft.OfExpulsion;
import rookery.room.draft.RoomDraft.OfForgetting;
import rookery.room.draft.RoomDraft.OfListing;
import rookery.room.draft.RoomDraft.OfMember;
import rookery.room.draft.RoomDraft.OfProfile;
import rookery.room.draft.RoomDraft.OfPromotion;
import rookery.room.draft.RoomDraft.OfPurge;
import rookery.room.draft.RoomDraft.OfReceipts;
import rookery.room.draft.RoomDraft.OfRedaction;
import rookery.room.draft.RoomDraft.OfRetraction;
import rookery.room.draft.RoomDraft.OfUpgrade;
import rookery.room.draft.RoomDraft.SentEvent;
import rookery.room.roomlog.ReferredEvents.Ref;
import rookery.room.table.Annotations.Annotation;
import rookery.room.table.DelayedEvents;
import rookery.room.table.Relation;
import rookery.room.table.StateKey;
import rookery.room.transaction.TransactionKey;

/** The facts that judging and writing a draft needs; a delayed event needs the facts of its own draft. */
final class DraftNeeds {
    private DraftNeeds() {}

    static Set<DelayedEvents.Key> delayed(List<RoomDraft> drafts) {
        var keys = new LinkedHashSet<DelayedEvents.Key>();
        for (var draft : drafts) {
            if (draft instanceof OfDelayed delayed) {
                keys.add(delayed.key());
            }
        }
        return keys;
    }

    static Set<TransactionKey> transactionKeys(List<RoomDraft> drafts) {
        return ofSent(drafts, SentEvent::txn);
    }

    static Set<Annotation> annotations(List<RoomDraft> drafts) {
        return ofSent(drafts, draft -> Annotation.of(draft.room(), draft.candidate()));
    }

    private static <T> Set<T> ofSent(List<RoomDraft> drafts, Function<SentEvent, @Nullable T> need) {
        var needs = new LinkedHashSet<T>();
        for (var draft : drafts) {
            var value = draft instanceof SentEvent sent ? need.apply(sent) : null;
            if (value != null) {
                needs.add(value);
            }
        }
        return needs;
    }

    /** The events that the drafts relate to or redact. */
    static Set<Ref> refs(List<RoomDraft> drafts) {
        var refs = ofSent(drafts, DraftNeeds::parent);
        for (var draft : drafts) {
            if (draft instanceof OfRedaction redaction) {
                refs.add(new Ref(draft.room(), redaction.target()));
            }
            if (draft instanceof OfRetraction retraction) {
                refs.add(new Ref(draft.room(), retraction.target()));
            }
        }
        return refs;
    }

    private static @Nullable Ref parent(SentEvent draft) {
        var relation = Relation.of(draft.candidate().content());
        return relation == null ? null : new Ref(draft.room(), relation.parent());
    }

    /** The users whose profiles the drafts' member events may show. */
    static Set<TenantUser> shown(List<RoomDraft> drafts) {
        var shown = new LinkedHashSet<TenantUser>();
        for (var draft : drafts) {
            var tenant = draft.room().tenant();
            switch (draft) {
                case OfMember member -> {
                    if (member.action().comesIn()) {
                        shown.add(new TenantUser(tenant, member.target()));
                    }
                }
                case OfProfile profile -> shown.add(new TenantUser(tenant, profile.sender()));
                case OfUpgrade upgrade -> shown.add(new TenantUser(tenant, upgrade.sender()));
                case OfCreation creation -> {
                    shown.add(new TenantUser(tenant, creation.sender()));
                    creation.events().stream()
                            .filter(first -> first.profile() != null)
                            .forEach(first -> shown.add(
                                    new TenantUser(tenant, new UserId(Objects.requireNonNull(first.stateKey())))));
                }
                case OfEvent _,
                        OfRedaction _,
                        OfRetraction _,
                        OfBans _,
                        OfForgetting _,
                        OfReceipts _,
                        OfListing _,
                        OfDelayed _,
                        OfDeviceList _,
                        OfPurge _,
                        OfPromotion _,
                        OfExpulsion _ -> {}
            }
        }
        return shown;
    }

    /** The pieces of state that judging and writing the draft needs. */
    static Set<StateKey> needs(RoomDraft draft, RoomWork room, ReferredEvents referred) {
        var needed = new LinkedHashSet<StateKey>();
        if (!room.knows(draft.sender())) {
            needed.add(StateKey.member(draft.sender()));
        }
        switch (draft) {
            case OfEvent event -> {
                if (event.stateKey() != null) {
                    needed.add(new StateKey(event.type(), event.stateKey()));
                }
            }
            case OfRedaction redaction -> {
                // to find whether the target is in force
                var target = referred.find(draft.room(), redaction.target());
                if (target != null && target.stateKey() != null) {
                    needed.add(new StateKey(target.type(), target.stateKey()));
                }
            }
            case OfMember member -> {
                needed.add(StateKey.member(member.target()));
                if (member.action() == MemberAction.INVITE || member.action() == MemberAction.KNOCK) {
                    needed.add(StateKey.member(member.sender()));
                    EntryWriter.STRIPPED.forEach(type -> needed.add(StateKey.of(type)));
                }
            }
            case OfForgetting forgetting -> needed.add(StateKey.member(forgetting.sender()));
            case OfProfile profile -> needed.add(StateKey.member(profile.sender()));
            case OfExpulsion expulsion -> needed.add(StateKey.member(expulsion.target()));
            case OfPromotion promotion -> {
                needed.add(StateKey.member(promotion.target()));
                needed.add(StateKey.of(EventTypes.POWER_LEVELS));
            }
            case OfBans bans -> bans.bans().forEach(ban -> needed.add(StateKey.member(ban.user())));
            case OfUpgrade _ -> needed.addAll(UpgradeVerdicts.NEEDS);
            case OfCreation _, OfReceipts _, OfListing _, OfDeviceList _, OfDelayed _, OfPurge _, OfRetraction _ -> {}
        }
        return needed;
    }
}
