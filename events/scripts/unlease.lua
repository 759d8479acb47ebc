-- A worker gives a partition back, its token being kept.
-- KEYS: leases of the partition   ARGV: group, worker, token
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[3] .. ' ' .. ARGV[2] then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] .. ' ')
end
return 1
