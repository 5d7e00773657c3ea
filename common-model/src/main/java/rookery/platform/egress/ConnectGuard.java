// SPDX-License-Identifier: Apache-2.0
package rookery.platform.egress;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Allows connections to public addresses only. The check sees the address of the connection itself, so no DNS answer can change
 * between the check and the use.
 */
final class ConnectGuard extends ChannelOutboundHandlerAdapter {
    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise)
            throws Exception {
        if (remote instanceof InetSocketAddress address
                && address.getAddress() != null
                && PublicAddresses.contains(address.getAddress())) {
            super.connect(context, remote, local, promise);
        } else {
            promise.tryFailure(new PrivateAddressException());
        }
    }
}
