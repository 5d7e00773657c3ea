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

    Mono<Void> device(TenantUser user, DeviceId device) {
        return pushers.endOfDevice(user.tenant(), user.user(), device);
    }

    Mono<Void> account(TenantUser user, AccountState state) {
        return switch (state) {
            case ACTIVE -> pauses.set(user.tenant(), user.user(), false);
            case BLOCKED -> pauses.set(user.tenant(), user.user(), true);
            case ENDED ->
                pushers.endOfAccount(user.tenant(), user.user()).then(pauses.endOfAccount(user.tenant(), user.user()));
        };
    }

    /** Ends all pauses before the user log is followed anew. */
    Mono<Void> drop() {
        return pauses.endAll();
    }
}
