// SPDX-License-Identifier: Apache-2.0
package rookery.admin.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import rookery.platform.tenant.Setting;
import rookery.platform.tenant.TenantSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The documents of the settings have all of them. */
class SettingsTest {
    private static final List<String> NAMES =
            TenantSettings.ALL.stream().map(Setting::name).toList();

    @Test
    void theApiDocumentHasEachSetting() {
        var yaml = SettingsTest.class.getResourceAsStream("/openapi/operators.yaml");
        JsonNode document = JsonMapper.shared().valueToTree(new Yaml().load(yaml));
        for (var schema : List.of("Settings", "SettingsChange")) {
            assertThat(document.at("/components/schemas/" + schema + "/properties")
                            .propertyNames())
                    .as(schema)
                    .containsExactlyInAnyOrderElementsOf(NAMES);
        }
    }

    @Test
    void theContractHasEachSetting() throws IOException {
        var contract = Files.readString(Path.of("..", "deploy", "docs", "contract.md"));
        var section = contract.substring(contract.indexOf("\n## 20."), contract.indexOf("\n## 21."));
        assertThat(section)
                .contains(NAMES.stream().map(name -> "`" + name + "`").toList());
    }
}
