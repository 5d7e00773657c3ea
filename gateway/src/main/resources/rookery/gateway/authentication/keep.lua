-- Remembers the session behind an access token, unless it was ended meanwhile.
-- The life of the entry counts from before auth-service was asked, so an entry never outlives what it says by more than
-- that, however long the answer or this call was under way: whoever ends a session and cannot reach Redis waits as long.
--
-- KEYS[1]  tok:<tenant>:<sha256 of the token>
-- KEYS[2]  gone:<tenant>:<sha256 of the token>, the tombstone that auth-service writes when a session ends
-- KEYS[3]  when Redis began to remember: it keeps nothing on disk, so a tombstone may be lost. What was asked before that is
--          not remembered, as its tombstone may have been among what was lost.
-- ARGV[1]  the session
-- ARGV[2]  when auth-service was asked, milliseconds by the clock of Redis
-- ARGV[3]  life in milliseconds from then
-- returns  {1 if it is remembered, else 0}
if redis.call('EXISTS', KEYS[2]) == 1 then
    return {0}
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local begun = redis.call('GET', KEYS[3])
if not begun or tonumber(begun) > now then -- or its clock was set back
    begun = now
    redis.call('SET', KEYS[3], string.format('%.0f', now))
end
local left = ARGV[2] + ARGV[3] - now
if left <= 0 or left > tonumber(ARGV[3]) or tonumber(ARGV[2]) <= tonumber(begun) then
    return {0}
end
return {redis.call('SET', KEYS[1], ARGV[1], 'PX', left, 'NX') and 1 or 0}
