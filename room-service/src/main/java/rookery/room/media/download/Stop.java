// SPDX-License-Identifier: Apache-2.0
package rookery.room.media.download;

import java.awt.image.BufferedImage;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadUpdateListener;

/**
 * Aborts a decode at the next row after {@link #call}. The decoding thread aborts itself, since the JPEG reader allows no abort
 * by another thread.
 */
final class Stop implements IIOReadUpdateListener {
    private volatile boolean called;

    void call() {
        called = true;
    }

    boolean isCalled() {
        return called;
    }

    private void look(ImageReader source) {
        if (called) {
            source.abort();
        }
    }

    @Override
    public void imageUpdate(
            ImageReader source,
            BufferedImage picture,
            int minX,
            int minY,
            int width,
            int height,
            int periodX,
            int periodY,
            int[] bands) {
        look(source);
    }

    @Override
    public void passStarted(
            ImageReader source,
            BufferedImage picture,
            int pass,
            int minPass,
            int maxPass,
            int minX,
            int minY,
            int periodX,
            int periodY,
            int[] bands) {
        look(source);
    }

    @Override
    public void passComplete(ImageReader source, BufferedImage picture) {
        look(source);
    }

    @Override
    public void thumbnailPassStarted(
            ImageReader source,
            BufferedImage thumbnail,
            int pass,
            int minPass,
            int maxPass,
            int minX,
            int minY,
            int periodX,
            int periodY,
            int[] bands) {}

    @Override
    public void thumbnailUpdate(
            ImageReader source,
            BufferedImage thumbnail,
            int minX,
            int minY,
            int width,
            int height,
            int periodX,
            int periodY,
            int[] bands) {}

    @Override
    public void thumbnailPassComplete(ImageReader source, BufferedImage thumbnail) {}
}
