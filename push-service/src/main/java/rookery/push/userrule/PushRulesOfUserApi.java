// SPDX-License-Identifier: Apache-2.0
package rookery.push.userrule;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.push.userrule.PushRulesApi.RulesAnswer;

/** A user's push rules for other services: the content of {@code m.push_rules}, including default rules. */
@RestController
class PushRulesOfUserApi {
    private final UserRules rules;

    PushRulesOfUserApi(UserRules rules) {
        this.rules = rules;
    }

    @Callers({ServiceName.AUTH, ServiceName.SYNC})
    @GetMapping("/internal/push-rules")
    Mono<RulesAnswer> pushRules(@RequestParam int tenant, @RequestParam UserId user) {
        return rules.of(new TenantId(tenant), user).map(RulesAnswer::new);
    }
}
