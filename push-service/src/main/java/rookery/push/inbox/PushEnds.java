package rookery.push.inbox;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.model.id.DeviceId;
import rookery.model.id.TenantUser;
import rookery.model.topic.UserLogRecord.AccountState;
import rookery.push.delivery.Pauses;
import rookery.push.pusher.Pushers;

/** Ends pushers and pauses pushes after changes of devices and accounts (contract.md 12.6, 14). */
@Component
class PushEnds {
    private final Pushers pushers;
    private final Pauses pauses;

    PushEnds(Pushers pushers, Pauses pauses) {
        this.pushers = pushers;
        this.pauses = pauses;
    }

    Mono<Void> device(TenantUser who, DeviceId device) {
        return pushers.endOfDevice(who.tenant(), who.user(), device);
    }

    Mono<Void> account(TenantUser who, AccountState state) {
        return switch (state) {
            case ACTIVE -> pauses.set(who.tenant(), who.user(), false);
            case BLOCKED -> pauses.set(who.tenant(), who.user(), true);
            case ENDED ->
                pushers.endOfAccount(who.tenant(), who.user()).then(pauses.endOfAccount(who.tenant(), who.user()));
        };
    }

    /** Ends all pauses before the user log is followed anew. */
    Mono<Void> drop() {
        return pauses.endAll();
    }
}
