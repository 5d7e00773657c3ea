package rookery.platform.tenant;

/** Tenants that are not served as configured; the message is one sentence that says what to change. */
public final class TenantsRefusedException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public TenantsRefusedException(String message) {
        super(message);
    }
}
