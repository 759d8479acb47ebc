-- Which version of a projection is read, which one is built, and since when.
-- KEYS: versions of the projection
local live, next, at = unpack(redis.call('HMGET', KEYS[1], 'live', 'next', 'at'))
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return {tonumber(live or 0), tonumber(next or 0), math.max(now - (at or now), 0)}
