-- A match is not to go into this segment any more.
-- KEYS: meta   ARGV: segment
if redis.call('HGET', KEYS[1], 'c') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'c')
end
return 1
