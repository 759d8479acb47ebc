#!lua flags=allow-oom
-- The log goes, for the archive has it; without `v` in the meta every append is refused.
-- KEYS: log, meta   ARGV: version, status, segment, place
local meta = redis.call('HMGET', KEYS[2], 'v', 's', 'c', 'a')
if not meta[1] and meta[4] == ARGV[4] then
  return 1
end
if meta[1] ~= ARGV[1] or meta[2] ~= ARGV[2] or meta[3] ~= ARGV[3] then
  return 0
end
redis.call('HSET', KEYS[2], 'w', ARGV[1], 'a', ARGV[4])
redis.call('HDEL', KEYS[2], 'v', 'c', 'r')
redis.call('UNLINK', KEYS[1])
return 1
