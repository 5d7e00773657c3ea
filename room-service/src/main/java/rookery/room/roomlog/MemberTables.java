// SPDX-License-Identifier: Apache-2.0
package rookery.room.roomlog;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.room.table.BanCopies;
import rookery.room.table.DelayedEvents;
import rookery.room.table.DeviceLists;
import rookery.room.table.ForgottenRooms;
import rookery.room.table.Upgrades;
import rookery.room.transaction.Transactions;

/** Writes the rows of a batch about users: upgrades, transactions, delayed events, forgotten rooms, device lists and receipts. */
@Component
class MemberTables {
    private final Upgrades upgrades;
    private final BanCopies banCopies;
    private final Transactions transactions;
    private final DelayedEvents delayed;
    private final ForgottenRooms forgotten;
    private final DeviceLists deviceLists;
    private final Receipts receipts;

    MemberTables(
            Upgrades upgrades,
            BanCopies banCopies,
            Transactions transactions,
            DelayedEvents delayed,
            ForgottenRooms forgotten,
            DeviceLists deviceLists,
            Receipts receipts) {
        this.upgrades = upgrades;
        this.banCopies = banCopies;
        this.transactions = transactions;
        this.delayed = delayed;
        this.forgotten = forgotten;
        this.deviceLists = deviceLists;
        this.receipts = receipts;
    }

    /** Called after the state is written. */
    Mono<Void> write(BatchRows rows, long nowMillis) {
        return Flux.concat(
                        Flux.fromIterable(rows.upgraded.values())
                                .concatMap(upgrade -> upgrades.insert(upgrade, nowMillis)),
                        Flux.fromIterable(rows.banSteps.entrySet())
                                .concatMap(step -> banCopies.move(step.getKey(), step.getValue())),
                        upgrades.carryOver(rows.joined, nowMillis),
                        transactions.insert(rows.transactions, nowMillis),
                        delayed.finish(rows.delayed, nowMillis),
                        forgotten.delete(rows.remembered),
                        forgotten.insertAll(rows.forgotten),
                        deviceLists.put(rows.deviceLists),
                        receipts.put(rows.receipts),
                        receipts.deleteOutdated(rows.outdated))
                .then();
    }
}
