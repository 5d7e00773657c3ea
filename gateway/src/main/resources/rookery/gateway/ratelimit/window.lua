-- Counts one request in its fixed window, which begins with the first request counted (contract.md 2.6), and reads the session
-- behind its access token in the same step, so that a request counts for its user even if the gateway has not seen the token
-- before. Atomic, one round trip, and only the clock of Redis, so that any number of gateways count as one.
--
-- KEYS[1]  the window, rl:<tenant>:<version of the limit>:<address or user>; '' if only the session can determine the user
-- KEYS[2]  tok:<tenant>:<sha256 of the token>; absent if no session is to be read
-- ARGV[1]  length of a window in ms; applies to windows that begin now, not to a running window
-- ARGV[2]  if requests count by user, the prefix of the window's key: rl:<tenant>:<version of the limit>:, else '' or absent
-- ARGV[3]  how many requests to count: this one, and permits for later requests of this gateway; absent: 1
-- ARGV[4]  the limit, if permits are given: requests beyond it are not counted, so that permits that are given back can be used
-- returns  {number of the last counted request in the window or 0 if not counted, end of the window, time now, the session or nil};
--          times in milliseconds since the epoch
local session = KEYS[2] and redis.call('GET', KEYS[2]) or false
local window = KEYS[1]
if session and ARGV[2] and ARGV[2] ~= '' then
    local readable, content = pcall(cjson.decode, session)
    if readable and type(content) == 'table' and type(content.user) == 'string' then
        window = ARGV[2] .. content.user
    end
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if window == '' then
    return {0, 0, now, session}
end
local asked = tonumber(ARGV[3] or 1)
local count
if ARGV[4] then
    local before = tonumber(redis.call('GET', window) or 0)
    count = before + asked
    redis.call('INCRBY', window, math.max(0, math.min(asked, tonumber(ARGV[4]) - before)))
else
    count = redis.call('INCRBY', window, asked)
end
local ends = redis.call('PEXPIRETIME', window)
if ends < 0 then
    ends = now + ARGV[1]
    redis.call('PEXPIREAT', window, ends)
end
return {count, ends, now, session}
