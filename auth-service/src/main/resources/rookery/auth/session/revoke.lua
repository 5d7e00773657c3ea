-- Makes every gateway refuse the tokens.
--
-- KEYS: for each token its tombstone gone:<tenant>:<sha256 hex>, then its cache entry tok:<tenant>:<sha256 hex>
-- ARGV[1]: life of a tombstone in ms; longer than the life of a cache entry
--
-- Both in one step: a gateway writes a cache entry only if no tombstone exists, so it can never restore the deleted entry.
for i = 1, #KEYS, 2 do
    redis.call('SET', KEYS[i], '1', 'PX', ARGV[1])
    redis.call('DEL', KEYS[i + 1])
end
return #KEYS / 2
