// SPDX-License-Identifier: Apache-2.0
package rookery.auth.todevice;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The limits of waiting messages; auth-service.yml explains every key.
 */
@ConfigurationProperties("rookery.auth.to-device")
record ToDeviceProperties(@DefaultValue Limits waiting) {
    /**
     * The limits of one device.
     *
     * @param senderMessages for messages of one sender; the bytes likewise
     */
    record Limits(
            @DefaultValue("10000") int deviceMessages,
            @DefaultValue("32MB") DataSize deviceBytes,
            @DefaultValue("2500") int senderMessages,
            @DefaultValue("8MB") DataSize senderBytes) {
        private static final DataSize ONE_MESSAGE = DataSize.ofKilobytes(128);

        Limits {
            if (senderMessages < 1 || deviceMessages < senderMessages) {
                throw new IllegalArgumentException(
                        "rookery.auth.to-device: device-messages and sender-messages must be at least 1, and the first"
                                + " not less than the second");
            }
            if (senderBytes.compareTo(ONE_MESSAGE) < 0 || deviceBytes.compareTo(senderBytes) < 0) {
                throw new IllegalArgumentException(
                        "rookery.auth.to-device: device-bytes and sender-bytes must be at least 128KB, which one message"
                                + " may take, and the first not less than the second");
            }
        }
    }
}
