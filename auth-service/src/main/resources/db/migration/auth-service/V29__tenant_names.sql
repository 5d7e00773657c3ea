-- Which number is which tenant's (design.md 7): written by the first start that names the two, and never changed or deleted, because
-- ids of users and rooms end in the server name, and rows carry the number.
CREATE TABLE auth.tenant_name (
    tenant      int  PRIMARY KEY,
    -- null: a number whose rows name a tenant that has another number; nobody gets it
    server_name text UNIQUE
);

-- What the accounts of before say. Of those that a start with other --tenant flags mixed, the tenant of the oldest has the number.
INSERT INTO auth.tenant_name (tenant, server_name)
SELECT tenant, CASE WHEN row_number() OVER (PARTITION BY name ORDER BY created_at, tenant) = 1 THEN name END
  FROM (SELECT DISTINCT ON (tenant) tenant, created_at, substr(user_id, strpos(user_id, ':') + 1) AS name
          FROM auth.account
         ORDER BY tenant, created_at, user_id) oldest;
