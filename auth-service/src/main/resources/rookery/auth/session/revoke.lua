-- Makes every gateway refuse tokens from now on.
--
-- KEYS: for each token its tombstone gone:<tenant>:<sha256 hex>, then its cache entry tok:<tenant>:<sha256 hex>
-- ARGV[1]: how long a tombstone stands, in ms: longer than a gateway may keep what it resolved before
--
-- Both in one step: a gateway fills the cache only where no tombstone stands, so there is no moment in which it could put the
-- entry back.
for i = 1, #KEYS, 2 do
    redis.call('SET', KEYS[i], '1', 'PX', ARGV[1])
    redis.call('DEL', KEYS[i + 1])
end
return #KEYS / 2
