-- Takes a group off a feed, and forgets its lease of the partition.
-- KEYS: feed, leases of the partition   ARGV: group
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('XGROUP', 'DESTROY', KEYS[1], ARGV[1])
end
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
