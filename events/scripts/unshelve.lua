-- The log comes back from the archive whole, as it went.
-- KEYS: log, meta   ARGV: place, time, then all entries
local meta = redis.call('HMGET', KEYS[2], 'a', 'w')
if meta[1] ~= ARGV[1] or meta[2] ~= tostring(#ARGV - 2) then
  return 0
end
redis.call('DEL', KEYS[1])
for i = 3, #ARGV do
  redis.call('XADD', KEYS[1], string.format('%d-0', i - 2), 'c', ARGV[i])
end
redis.call('HSET', KEYS[2], 'v', meta[2], 'r', ARGV[2])
redis.call('HDEL', KEYS[2], 'w', 'a', 'c')
return 1
