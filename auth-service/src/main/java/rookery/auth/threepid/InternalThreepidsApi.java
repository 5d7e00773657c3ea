package rookery.auth.threepid;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** Who is found by an address, for those who invite by one (CONTRACT.md 7.5, 8.2). Internal. */
@RestController
class InternalThreepidsApi {
    private final Threepids threepids;

    InternalThreepidsApi(Threepids threepids) {
        this.threepids = threepids;
    }

    /** M_THREEPID_NOT_FOUND if nobody has bound the address, whether or not somebody has it. */
    @PostMapping("/internal/threepids/bound")
    Mono<Found> bound(@RequestBody Asked asked) {
        return Mono.justOrEmpty(Addresses.find(asked.medium, asked.address))
                .flatMap(threepid -> threepids.boundOwner(asked.tenant, threepid))
                .map(Found::new)
                .switchIfEmpty(Mono.error(
                        () -> new ApiException(ErrorCode.M_THREEPID_NOT_FOUND, "nobody is known by this address")));
    }

    record Asked(TenantId tenant, String medium, String address) {}

    record Found(@JsonProperty("user_id") UserId userId) {}
}
