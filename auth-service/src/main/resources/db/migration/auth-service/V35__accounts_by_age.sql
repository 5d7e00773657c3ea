-- The list of accounts in the order of their age in milliseconds, as administrators see it (contract.md 5.2).
CREATE INDEX account_created
    ON auth.account (tenant, (floor(extract(epoch FROM created_at AT TIME ZONE 'UTC') * 1000)::bigint), user_id);
