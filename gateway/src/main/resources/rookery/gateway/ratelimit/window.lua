-- Counts one request in its fixed window, which begins with the first request counted (contract.md 2.6).
-- Atomic, one round trip, and only the clock of Redis, so that any number of gateways count as one.
--
-- KEYS[1]  rl:<tenant>:<address>
-- ARGV[1]  length of a window in milliseconds; it holds for windows that begin now, not for one that runs
-- returns  {number of this request in the window, end of the window, time now}; times in milliseconds since the epoch
local count = redis.call('INCR', KEYS[1])
local ends = redis.call('PEXPIRETIME', KEYS[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ends < 0 then
    ends = now + ARGV[1]
    redis.call('PEXPIREAT', KEYS[1], ends)
end
return {count, ends, now}
