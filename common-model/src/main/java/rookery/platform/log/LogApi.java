package rookery.platform.log;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The log as its owner answers it to followers: what Kafka did not bring is read here (DESIGN.md 2). A bean of the owner. */
@RestController
public class LogApi {
    private static final int ENTRIES_MAX = 200;

    private final LogEntries entries;

    public LogApi(LogEntries entries) {
        this.entries = entries;
    }

    @GetMapping("/internal/log/heads")
    Mono<HeadsAnswer> heads() {
        return entries.heads()
                .map(heads -> new HeadsAnswer(heads.epoch(), heads.positions().toArray()));
    }

    @GetMapping("/internal/log/{shard}")
    Mono<Range> range(
            @PathVariable int shard, @RequestParam long after, @RequestParam(defaultValue = "200") int limit) {
        return entries.range(shard, after, Math.clamp(limit, 1, ENTRIES_MAX));
    }

    @SuppressWarnings("ArrayRecordComponent") // a wire shape, made and read once
    record HeadsAnswer(long epoch, long[] positions) {}
}
