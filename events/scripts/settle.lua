-- Nothing of a partition is deferred any more, unless that was written since.
-- KEYS: what is deferred, by projection   ARGV: projection, what was seen
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
return redis.call('HDEL', KEYS[1], ARGV[1])
