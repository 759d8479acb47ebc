-- A commit that a projection cannot fold: kept as a letter, and its match is parked, unless that is
-- deleted by now.
-- KEYS: parked matches of the projection, letters, meta   ARGV: projection, match, version, why,
-- status of deleted matches
if redis.call('HGET', KEYS[3], 's') == ARGV[5] then
  return 0
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*',
  'projection', ARGV[1], 'match', ARGV[2], 'version', ARGV[3], 'why', ARGV[4])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. ' ' .. ARGV[4])
return 1
