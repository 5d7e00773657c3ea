// SPDX-License-Identifier: Apache-2.0
package rookery.admin.console;

import java.time.Duration;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import rookery.model.error.ApiException;
import rookery.model.error.ErrorCode;
import rookery.platform.http.Access;
import rookery.platform.http.Access.Level;

/** The style sheet and the script of the console. Their names change with their content, so that browsers may keep them. */
@RestController
class AssetPages {
    private static final CacheControl KEPT =
            CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();
    private static final Map<String, Resource> FILES = Map.of(
            "style-1.css", new ClassPathResource("console/style.css"),
            "htmx-2.0.8.js", new ClassPathResource("META-INF/resources/webjars/htmx.org/2.0.8/dist/htmx.min.js"));

    @GetMapping(ConsoleCookie.PATH + "/assets/{name}")
    @Access(Level.NONE)
    ResponseEntity<Resource> file(@PathVariable String name) {
        var file = FILES.get(name);
        if (file == null) {
            throw new ApiException(ErrorCode.M_NOT_FOUND, "there is no such file");
        }
        var type = name.endsWith(".css") ? "text/css" : "text/javascript";
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(type + ";charset=utf-8"))
                .cacheControl(KEPT)
                .body(file);
    }
}
