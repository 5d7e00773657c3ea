// SPDX-License-Identifier: Apache-2.0
package rookery.platform.person;

import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import rookery.platform.http.Callers;
import rookery.platform.http.ServiceName;
import rookery.platform.person.PersonRows.Page;
import rookery.platform.person.PersonRows.PageRequest;
import rookery.platform.person.PersonRows.Source;

/** The data of one person for admin-service (contract.md 5.6). Internal. */
@RestController
@Callers(ServiceName.ADMIN)
public class PersonApi {
    public static final String SOURCES = "/internal/persons/sources";
    public static final String ROWS = "/internal/persons/rows";

    private final PersonRows rows;

    PersonApi(PersonRows rows) {
        this.rows = rows;
    }

    @PostMapping(SOURCES)
    List<Source> sources() {
        return rows.sources();
    }

    @PostMapping(ROWS)
    Mono<Page> rows(@RequestBody PageRequest request) {
        return rows.page(request);
    }
}
