-- One commit at exactly the expected version, on exactly the head before: all of it or nothing.
-- KEYS: log, meta, feed, and for a first commit the ids of all matches of the partition
-- ARGV: expected version, entry, match, head, status, head before (empty: any)
-- Nothing that can fail stands after the first write: a script is not rolled back.
local meta = redis.call('HMGET', KEYS[2], 'v', 'h')
local v = meta[1]
if (v or '0') ~= ARGV[1] or (not v and redis.call('EXISTS', KEYS[2]) == 1)
  or (v and ARGV[6] ~= '' and meta[2] ~= ARGV[6]) then
  return {redis.call('HMGET', KEYS[2], 'v', 'h', 's', 'w'),
    redis.call('XRANGE', KEYS[1], '(' .. ARGV[1] .. '-0', '+', 'COUNT', 50)}
end
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) then
  return redis.error_reply('CORRUPT log and meta disagree')
end
local n = string.format('%d', ARGV[1] + 1)
redis.call('XADD', KEYS[3], '*', ARGV[3], n)
local added = redis.pcall('XADD', KEYS[1], n .. '-0', 'c', ARGV[2])
if type(added) == 'table' then
  return redis.error_reply('CORRUPT ' .. added.err)
end
redis.call('HSET', KEYS[2], 'v', n, 'h', ARGV[4], 's', ARGV[5])
if KEYS[4] then
  redis.call('ZADD', KEYS[4], 0, ARGV[3])
end
return 1
