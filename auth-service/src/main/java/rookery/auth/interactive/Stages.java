// SPDX-License-Identifier: Apache-2.0
package rookery.auth.interactive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import rookery.auth.interactive.Authentication.StageProof;
import rookery.auth.interactive.Stage.Proof;
import rookery.auth.interactive.Stage.Trial;
import rookery.model.id.TenantId;
import rookery.model.id.UserId;

/** All stages by type. For two stages of the same type, the first in Spring's order wins. */
@Component
class Stages {
    private final Map<String, Stage> byType = new LinkedHashMap<>();

    Stages(List<Stage> stages) {
        stages.forEach(stage -> byType.putIfAbsent(stage.type(), stage));
    }

    boolean offers(TenantId tenant, String type) {
        var stage = byType.get(type);
        return stage != null && stage.isOffered(tenant);
    }

    /** Empty if the stage fails or does not exist. Only stages of the operation's flows are called. */
    Mono<StageProof> pass(String type, Trial trial) {
        var stage = byType.get(type);
        return stage == null ? Mono.empty() : stage.pass(trial).map(proof -> new StageProof(type, proof));
    }

    /** The {@code params} of the listed flows' stages. */
    Map<String, Object> params(TenantId tenant, Flows flows) {
        var all = new LinkedHashMap<String, Object>();
        for (var type : flows.types()) {
            var stage = byType.get(type);
            var params = stage == null ? Map.<String, Object>of() : stage.params(tenant);
            if (!params.isEmpty()) {
                all.put(type, params);
            }
        }
        return all;
    }

    Mono<Void> spend(TenantId tenant, UserId user, StageProof stageProof) {
        var stage = byType.get(stageProof.stage());
        Proof proof = stageProof.proof();
        return stage == null ? Mono.empty() : stage.spend(tenant, user, proof);
    }
}
