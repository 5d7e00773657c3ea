// SPDX-License-Identifier: Apache-2.0
package rookery.push.unread;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import rookery.model.id.TenantUser;
import rookery.push.count.UserChanges;
import rookery.push.delivery.Badge;
import rookery.push.pusher.PusherFlags;

/** Connects counting with pushers and deliveries. */
@Configuration(proxyBeanMethods = false)
class CountConfiguration {
    @Bean
    static Badge badge(Unread unread) {
        return unread::badges;
    }

    @Bean
    static PusherFlags pusherFlags(UserChanges changes) {
        return (tenant, user, has) -> changes.pushers(new TenantUser(tenant, user), has);
    }
}
