-- A match that only the archive knows is known here again.
-- KEYS: meta, all matches of the partition   ARGV: match, version, head, status, place
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], 'w', ARGV[2], 'h', ARGV[3], 's', ARGV[4], 'a', ARGV[5])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
