package rookery.sync.sync;

import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import rookery.model.caller.Caller;

/** {@code GET /v3/sync} (CONTRACT.md 10). */
@RestController
class SyncApi {
    private final Syncer syncer;

    SyncApi(Syncer syncer) {
        this.syncer = syncer;
    }

    @GetMapping("/_api/client/v3/sync")
    Flux<byte[]> sync(Caller caller, @RequestParam MultiValueMap<String, String> params) {
        return syncer.answer(caller, SyncQuery.of(params));
    }
}
