-- Forgets a consumer that has nothing pending: with it would go what it has.
-- KEYS: feed   ARGV: group, consumer
if redis.call('EXISTS', KEYS[1]) == 0 then
  return 1
end
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then
  return 0
end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
