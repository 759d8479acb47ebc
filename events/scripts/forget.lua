#!lua flags=allow-oom
-- All that a match shows in a projection's listings goes. Of one that is deleted a fence is left for
-- a time, a version later than any, so that nobody who has read its log before writes rows again.
-- KEYS: version by match, entries by match, all entries in order, value by entry, fences by time
-- ARGV: match, 1 where it is deleted, the fence, for how many ms fences stay
-- Where nobody shows any rows there is nothing to fence.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local shows = redis.call('EXISTS', KEYS[1]) == 1
local entries = redis.call('HGET', KEYS[2], ARGV[1])
for _, entry in ipairs(entries and cmsgpack.unpack(entries) or {}) do
  redis.call('ZREM', KEYS[3], entry)
  redis.call('HDEL', KEYS[4], entry)
end
redis.call('HDEL', KEYS[2], ARGV[1])
if ARGV[2] == '1' and shows then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  redis.call('ZADD', KEYS[5], now, ARGV[1])
elseif redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[3] then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
local old = redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', now - ARGV[4], 'LIMIT', 0, 100)
for _, match in ipairs(old) do
  redis.call('ZREM', KEYS[5], match)
  if redis.call('HGET', KEYS[1], match) == ARGV[3] then
    redis.call('HDEL', KEYS[1], match)
  end
end
return 1
