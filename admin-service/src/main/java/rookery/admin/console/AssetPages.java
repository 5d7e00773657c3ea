// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.crypto.Sha256;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The style sheet and the script of the console. Their names have a hash of their content, so that browsers may keep them. */
@RestController
class AssetPages {
    static final Asset STYLE = asset("style", "css", "text/css", "classpath:console/style.css");
    static final Asset SCRIPT =
            asset("htmx", "js", "text/javascript", "classpath:META-INF/resources/webjars/htmx.org/*/dist/htmx.min.js");

    private static final String FOLDER = ConsoleCookie.PATH + "/assets/";
    private static final CacheControl KEPT =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();
    private static final int HASH_BYTES = 8;

    /** A file as browsers get it. */
    record Asset(String name, MediaType type, Resource content) {
        String path() {
            return FOLDER + name;
        }
    }

    @GetMapping(FOLDER + "{name}")
    @Access(Level.NONE)
    ResponseEntity<Resource> file(@PathVariable String name) {
        return List.of(STYLE, SCRIPT).stream()
                .filter(asset -> asset.name.equals(name))
                .findFirst()
                .map(asset -> ResponseEntity.ok()
                        .contentType(asset.type)
                        .cacheControl(KEPT)
                        .body(asset.content))
                .orElseThrow(Pages::unknown);
    }

    /** @param pattern of one resource; the folder of a WebJar has its version in its name */
    private static Asset asset(String name, String ending, String type, String pattern) {
        try {
            var content = new PathMatchingResourcePatternResolver().getResources(pattern)[0];
            var hash = HexFormat.of().formatHex(Sha256.of(content.getContentAsByteArray()), 0, HASH_BYTES);
            return new Asset(
                    name + "-" + hash + "." + ending, MediaType.parseMediaType(type + ";charset=utf-8"), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
