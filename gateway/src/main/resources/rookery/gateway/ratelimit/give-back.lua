-- Subtracts permits that a gateway has counted and not used, if their window still runs (decision 0027).
--
-- KEYS[1]  the window
-- ARGV[1]  the end of the window in ms since the epoch, which identifies the window
-- ARGV[2]  the number of permits
-- returns  {1 if they were subtracted, else 0}
if redis.call('PEXPIRETIME', KEYS[1]) ~= tonumber(ARGV[1]) then
    return {0}
end
redis.call('DECRBY', KEYS[1], ARGV[2])
return {1}
