-- A worker takes a partition for its group, if nobody did since it looked.
-- KEYS: leases of the partition   ARGV: group, worker, what it saw
-- The token is larger than any before; as large as the clock at least, so that a failover that
-- has lost the last grants grants none of them again.
local stands = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if stands ~= ARGV[3] then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token = math.max((tonumber(string.match(stands, '%d+')) or 0) + 1, now)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', token, ARGV[2]))
return token
