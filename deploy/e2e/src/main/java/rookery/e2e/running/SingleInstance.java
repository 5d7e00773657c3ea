// SPDX-License-Identifier: Apache-2.0
package rookery.e2e.running;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import rookery.embedded.Folders;

/** Routes all requests for a service to one instance by hiding the files of the others until closed. */
public final class SingleInstance implements AutoCloseable {
    private final Map<Path, String> hidden = new LinkedHashMap<>();

    private SingleInstance() {}

    /** Routes to the newcomer only. */
    public static SingleInstance on(Newcomer chosen, Rookery rookery) {
        chosen.list();
        return only(chosen.instance(), rookery);
    }

    /** Routes to this instance only. */
    public static SingleInstance only(Instance chosen, Rookery rookery) {
        var single = new SingleInstance();
        var service = chosen.name().substring(0, chosen.name().lastIndexOf('-') + 1);
        for (var instance : rookery.instances()) {
            if (instance.name().startsWith(service) && !instance.name().equals(chosen.name())) {
                single.hide(rookery.plan().data().resolve("instances").resolve(instance.name()));
            }
        }
        return single;
    }

    private void hide(Path file) {
        var text = Folders.textOf(file);
        if (text != null) {
            hidden.put(file, text);
            Folders.delete(file);
        }
    }

    @Override
    public void close() {
        hidden.forEach(Folders::write);
    }
}
