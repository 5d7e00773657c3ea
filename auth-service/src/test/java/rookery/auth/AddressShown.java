// SPDX-License-Identifier: Apache-2.0
package rookery.auth;

import org.springframework.core.Ordered;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Stage;
import rookery.auth.threepid.Addresses;

/** Takes the {@code sid} for the address that was validated; {@code wrong} is none. */
public final class AddressShown implements Stage, Ordered {
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public String type() {
        return EMAIL;
    }

    @Override
    public Mono<Proof> pass(Trial trial) {
        String address = trial.auth().object("threepid_creds").string("sid");
        return address.equals("wrong") ? Mono.empty() : Mono.just(new Proof(Addresses.email(address), null));
    }
}
