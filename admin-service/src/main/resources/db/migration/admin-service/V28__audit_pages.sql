-- The records of a tenant, newest first (AuditRecords.page).
CREATE INDEX audit_record_tenant ON admin.audit_record (tenant, at, id);
