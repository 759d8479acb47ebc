-- A cell moves on only from where its writer began, and only by who has the lease, if it needs one.
-- KEYS: cursors, values, leases of the partition
-- ARGV: match, base, cursor, value, and where it needs a lease, group and token
if ARGV[5] then
  local lease = redis.call('HGET', KEYS[3], ARGV[5]) or ''
  if string.match(lease, '^%d+') ~= ARGV[6] then
    return -1
  end
end
if (redis.call('HGET', KEYS[1], ARGV[1]) or '0') ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
return 1
