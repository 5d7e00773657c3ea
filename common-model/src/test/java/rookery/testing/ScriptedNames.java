// SPDX-License-Identifier: Apache-2.0
package rookery.testing;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;

/** DNS with scripted answers. */
public final class ScriptedNames extends AddressResolverGroup<InetSocketAddress> {
    private final Map<String, List<String>> addresses;

    public ScriptedNames(Map<String, List<String>> addresses) {
        this.addresses = addresses;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Resolver(executor).asAddressResolver();
    }

    private final class Resolver extends InetNameResolver {
        Resolver(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String name, Promise<InetAddress> promise) {
            var found = found(name);
            if (found.isEmpty()) {
                promise.setFailure(new UnknownHostException(name));
            } else {
                promise.setSuccess(found.getFirst());
            }
        }

        @Override
        protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
            var found = found(name);
            if (found.isEmpty()) {
                promise.setFailure(new UnknownHostException(name));
            } else {
                promise.setSuccess(found);
            }
        }

        private List<InetAddress> found(String name) {
            var texts = addresses.getOrDefault(name, List.of());
            return texts.stream().map(InetAddress::ofLiteral).toList();
        }
    }
}
