#!lua flags=allow-oom
-- A match is to go into a segment of the archive, standing as it was looked at.
-- KEYS: meta   ARGV: version, status, segment
local meta = redis.call('HMGET', KEYS[1], 'v', 'w', 's')
if (meta[1] or meta[2]) ~= ARGV[1] or meta[3] ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'c', ARGV[3])
return 1
