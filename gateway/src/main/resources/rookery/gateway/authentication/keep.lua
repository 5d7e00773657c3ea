-- Stores the session of an access token, unless the session has ended in the meantime. The entry's life begins before the
-- question to auth-service, so an entry never outlives its session by more than its life, however long the answer or this call
-- took. If auth-service ends a session and cannot reach Redis, auth-service waits for as long.
--
-- KEYS[1]  tok:<tenant>:<sha256 of the token>
-- KEYS[2]  gone:<tenant>:<sha256 of the token>, the tombstone that auth-service writes when a session ends
-- KEYS[3]  the time from which Redis has all tombstones: Redis keeps nothing on disk, so a restart loses tombstones. Answers to
--          questions sent before this time are not stored, because their tombstones may be lost.
-- ARGV[1]  the session
-- ARGV[2]  time of the question to auth-service, in ms by the clock of Redis
-- ARGV[3]  life of the entry in ms from ARGV[2]
-- returns  {1 if the session was stored, else 0}
if redis.call('EXISTS', KEYS[2]) == 1 then
    return {0}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local begun = redis.call('GET', KEYS[3])
if not begun or tonumber(begun) > now then -- no key after a restart, or the clock was set back
    begun = now
    redis.call('SET', KEYS[3], string.format('%.0f', now))
end
local left = ARGV[2] + ARGV[3] - now
if left <= 0 or left > tonumber(ARGV[3]) or tonumber(ARGV[2]) <= tonumber(begun) then
    return {0}
end
return {redis.call('SET', KEYS[1], ARGV[1], 'PX', left, 'NX') and 1 or 0}
