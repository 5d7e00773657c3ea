// SPDX-License-Identifier: Apache-2.0
package rookery.auth.threepid;

/**
 * A third-party identifier.
 *
 * @param address in canonical form (contract.md 7.1)
 */
public record Threepid(Medium medium, String address) {
    @Override
    public String toString() {
        return medium.text; // logs must not contain addresses
    }
}
