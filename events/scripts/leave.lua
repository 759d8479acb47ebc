-- A process of a worker lives no longer.
-- KEYS: workers of the group   ARGV: worker, number of the process
local stands = redis.call('HGET', KEYS[1], ARGV[1])
if stands and string.match(stands, '%d+') == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return 1
