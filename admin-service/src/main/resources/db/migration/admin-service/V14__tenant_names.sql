-- Which number is which tenant's (design.md 7): written by the first start that names the two, and never changed or deleted, because
-- ids of users and rooms end in the server name, and rows carry the number.
CREATE TABLE admin.tenant_name (
    tenant      int  PRIMARY KEY,
    -- null: a number whose rows name a tenant that has another number; nobody gets it
    server_name text UNIQUE
);

-- What the rows of before say, where they say one thing only; prepare and the launcher add what the accounts say.
WITH pair AS (SELECT DISTINCT tenant, substr(actor, strpos(actor, ':') + 1) AS name FROM admin.audit_record)
INSERT INTO admin.tenant_name (tenant, server_name)
SELECT tenant, name FROM pair
 WHERE NOT EXISTS (SELECT 1 FROM pair other WHERE (other.tenant = pair.tenant) <> (other.name = pair.name));
