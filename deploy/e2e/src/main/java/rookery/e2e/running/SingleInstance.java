package rookery.e2e.running;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import rookery.embedded.Folders;

/** Makes the gateway send everything for a service to one instance, by hiding the files of the others while it is open. */
public final class SingleInstance implements AutoCloseable {
    private final Map<Path, String> hidden = new LinkedHashMap<>();

    private SingleInstance() {}

    /** Lists the newcomer, and no other instance of the service. */
    public static SingleInstance on(Newcomer chosen, Rookery rookery) {
        chosen.list();
        return only(chosen.instance(), rookery);
    }

    /** Only this instance is listed of its service. */
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
