// SPDX-License-Identifier: Apache-2.0
package rookery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import rookery.bench.Picture.Point;

class PictureTest {
    private static final List<Point> POINTS = List.of(new Point(300, 80, 200), new Point(20, 9, 19));

    @Test
    void pictureIsSmallXmlForLightAndDark() throws Exception {
        var svg = new Picture(POINTS, "a <commit> & a date").svg();
        assertThat(svg.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(30_000);
        assertThat(svg)
                .contains("prefers-color-scheme: dark", "a &lt;commit&gt; &amp; a date")
                .doesNotContain("<script", "href");
        assertThat(document(svg).getDocumentElement().getTagName()).isEqualTo("svg");
    }

    @Test
    void eachRateHasAPointForP50AndForP99() throws Exception {
        var circles = document(new Picture(POINTS, "").svg()).getElementsByTagName("circle");
        assertThat(circles.getLength()).isEqualTo(4);
        double x20 = Double.parseDouble(
                circles.item(0).getAttributes().getNamedItem("cx").getNodeValue());
        assertThat(x20)
                .as("the lower rate, though named second, is drawn first")
                .isCloseTo(Picture.x(20), offset(0.1));
    }

    @Test
    void axesAreLogarithmicAndClamped() {
        assertThat(Picture.x(100) - Picture.x(10)).isCloseTo(Picture.x(1_000) - Picture.x(100), offset(1e-9));
        assertThat(Picture.y(1_000)).isLessThan(Picture.y(10));
        assertThat(Picture.y(60_000)).isEqualTo(40);
        assertThat(Picture.y(0)).isEqualTo(360);
    }

    @Test
    void everyReferenceIsNamedWithItsMachineAndTheDate() {
        var svg = new Picture(List.of(), "").svg();
        Picture.REFERENCES.forEach(
                reference -> assertThat(svg).contains(reference.server() + " (" + reference.machine() + ")"));
        assertThat(svg).contains("2026-11-27", "machine A");
    }

    private static Document document(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }
}
