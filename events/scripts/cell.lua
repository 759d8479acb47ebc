-- A cell moves on only from where its writer began, only by who has the lease, if it needs one, and
-- only to what the log has: a commit that a failover has lost is made into nothing.
-- KEYS: cursors, values, leases of the partition, meta, log
-- ARGV: match, base, cursor, value, mark (how the head at the cursor begins; empty: any), and where
-- it needs a lease, group and token
local function held(version, mark)
  local meta = redis.call('HMGET', KEYS[4], 'v', 'w', 'h')
  local stands = tonumber(meta[1] or meta[2] or '0')
  if version == stands then
    return string.sub(meta[3], 1, 8) == mark
  end
  local id = string.format('%d-0', version)
  local entry = version < stands and redis.call('XRANGE', KEYS[5], id, id)[1]
  return entry and string.sub(entry[2][2], 4, 11) == mark
end
if ARGV[6] then
  local lease = redis.call('HGET', KEYS[3], ARGV[6]) or ''
  if string.match(lease, '^%d+') ~= ARGV[7] then
    return -1
  end
end
local cursor, mark = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '0', '^(%d+) ?(.*)$')
if cursor ~= ARGV[2] then
  return 0
end
local at = ARGV[3]
if ARGV[5] ~= '' then
  local back = tonumber(cursor) > tonumber(at)
  if not held(tonumber(at), ARGV[5]) or (back and mark ~= '' and held(tonumber(cursor), mark)) then
    return 0
  end
  at = at .. ' ' .. ARGV[5]
end
redis.call('HSET', KEYS[1], ARGV[1], at)
redis.call('HSET', KEYS[2], ARGV[1], ARGV[4])
return 1
