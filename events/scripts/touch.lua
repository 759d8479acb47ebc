-- A reference to where a match stands, as if it had moved.
-- KEYS: meta, feed   ARGV: match
local v = redis.call('HGET', KEYS[1], 'v') or redis.call('HGET', KEYS[1], 'w')
if not v then
  return 0
end
redis.call('XADD', KEYS[2], '*', ARGV[1], v)
redis.call('PUBLISH', KEYS[2], v .. ' ' .. ARGV[1])
return 1
