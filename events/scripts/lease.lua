-- A worker takes a partition for its group, if nobody did since it looked; asked again, it has it.
-- KEYS: leases of the partition   ARGV: group, worker, what it saw
-- The token is larger than any before; as large as the clock at least, so that a failover that
-- has lost the last grants grants none of them again.
local stands = redis.call('HGET', KEYS[1], ARGV[1]) or ''
local last, holder = string.match(stands, '^(%d+) (.*)$')
if stands ~= ARGV[3] then
  local seen = tonumber(string.match(ARGV[3], '^%d+')) or 0
  return holder == ARGV[2] and tonumber(last) > seen and tonumber(last) or 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local token = math.max((tonumber(last) or 0) + 1, now)
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d %s', token, ARGV[2]))
return token
