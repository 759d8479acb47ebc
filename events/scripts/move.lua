#!lua flags=allow-oom
-- An archived match lies elsewhere from now on, in the segment that it is reserved for.
-- KEYS: meta   ARGV: place, its next, that one's segment
local meta = redis.call('HMGET', KEYS[1], 'a', 'c')
if meta[1] ~= ARGV[1] or meta[2] ~= ARGV[3] then
  return 0
end
redis.call('HSET', KEYS[1], 'a', ARGV[2])
redis.call('HDEL', KEYS[1], 'c')
return 1
