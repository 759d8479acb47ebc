-- A commit that a projection cannot fold: kept as a letter, and its match is parked.
-- KEYS: parked matches of the projection, letters   ARGV: projection, match, version, why
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*',
  'projection', ARGV[1], 'match', ARGV[2], 'version', ARGV[3], 'why', ARGV[4])
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. ' ' .. ARGV[4])
return 1
