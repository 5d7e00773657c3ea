// SPDX-License-Identifier: Apache-2.0
package rookery.platform.tenant;

/** An invalid configuration of tenants; the message is one sentence with the setting to change. */
public final class TenantsRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public TenantsRefusedException(String message) {
        super(message);
    }
}
