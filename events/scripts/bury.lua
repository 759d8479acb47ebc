#!lua flags=allow-oom
-- Nothing of an archived match stays but the fence, and where it lay until all traces are gone;
-- version 0 tells those who have it in memory.
-- KEYS: meta, all matches of the partition, feed, deletions under way, the set of matches that an
-- older release keeps   ARGV: place, match, status
if redis.call('HGET', KEYS[1], 'a') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[4], ARGV[2], ARGV[1])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 's', ARGV[3])
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('SREM', KEYS[5], ARGV[2])
redis.call('PUBLISH', KEYS[3], '0 ' .. ARGV[2])
return 1
