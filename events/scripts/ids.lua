-- Ids of a partition's matches, in order, beyond one. Those that an older release keeps in a set,
-- which has no order, move over first.
-- KEYS: all matches in order, the set   ARGV: from (`-`, or `(` and an id), how many
while redis.call('EXISTS', KEYS[2]) == 1 do
  local members = {}
  for _, match in ipairs(redis.call('SPOP', KEYS[2], 1000)) do
    members[#members + 1] = '0'
    members[#members + 1] = match
  end
  redis.call('ZADD', KEYS[1], unpack(members))
end
return redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2])
