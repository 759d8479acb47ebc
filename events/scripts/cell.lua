-- A cell moves on only from where its writer began.
-- KEYS: cursors, values   ARGV: match, base, cursor, value
if (redis.call('HGET', KEYS[1], ARGV[1]) or '0') ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
return 1
