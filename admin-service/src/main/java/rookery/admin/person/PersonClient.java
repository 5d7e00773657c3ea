// SPDX-License-Identifier: Apache-2.0
package rookery.admin.person;

import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import rookery.model.id.TenantId;
import rookery.platform.http.AnswerReservation;
import rookery.platform.http.ServiceClient;
import rookery.platform.http.ServiceName;
import rookery.platform.person.PersonApi;
import rookery.platform.person.PersonRows;
import rookery.platform.person.PersonRows.Page;
import rookery.platform.person.PersonRows.PageRequest;
import rookery.platform.person.PersonRows.Source;

/** Reads one person's data in the services, this one included, in short requests. */
@Component
class PersonClient {
    private static final String KEY = "person";

    private final ServiceClient services;
    private final PersonRows own;

    PersonClient(ServiceClient services, PersonRows own) {
        this.services = services;
        this.own = own;
    }

    Mono<List<Source>> sources(ServiceName service) {
        return service == ServiceName.ADMIN
                ? Mono.fromSupplier(own::sources)
                : unreserved(services.post(service.title(), KEY, PersonApi.SOURCES, List.of(), Source[].class))
                        .map(List::of);
    }

    /** All pages, each read when the one before is written. */
    Flux<Page> pages(ServiceName service, PageRequest request) {
        return page(service, request)
                .expand(page -> page.after() == null ? Mono.<Page>empty() : page(service, request.after(page.after())));
    }

    private Mono<Page> page(ServiceName service, PageRequest request) {
        return service == ServiceName.ADMIN
                ? own.page(request).cache() // a query runs to its end (decision 0001)
                : unreserved(services.post(service.title(), KEY, PersonApi.ROWS, request, Page.class));
    }

    /** A part of a file. M_NOT_FOUND for a deleted file. */
    Mono<byte[]> part(TenantId tenant, String sha256, long from, long size) {
        var path = "/internal/tenants/media/%d/%s?from=%d&size=%d".formatted(tenant.value(), sha256, from, size);
        return unreserved(DataBufferUtils.join(services.bytes(ServiceName.ROOM.title(), KEY, path))
                .map(PersonClient::bytes));
    }

    private static byte[] bytes(DataBuffer buffer) {
        var bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    /** The reservation of the request would grow with all pages, though one page at a time is in memory. */
    private static <T> Mono<T> unreserved(Mono<T> call) {
        return call.contextWrite(context -> context.delete(AnswerReservation.class));
    }
}
