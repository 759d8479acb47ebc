#!lua flags=allow-oom
-- Counts what was done in the archive: also in a store that is full, for that is how it gets room.
-- KEYS: counts   ARGV: name and number in turn
for i = 1, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
