-- Changes which version of a projection is read or built.
-- KEYS: versions of the projection
-- ARGV: `build`, `give_up`, or `swap` with the version that is read and the one that is built
local live, next, last = unpack(redis.call('HMGET', KEYS[1], 'live', 'next', 'last'))
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] == 'build' then
  if next then
    return tonumber(next)
  end
  redis.call('HSET', KEYS[1], 'next', (last or 0) + 1, 'last', (last or 0) + 1, 'at', now)
  return (last or 0) + 1
end
if not next then
  return 0
end
if ARGV[1] == 'swap' then
  if (live or '0') ~= ARGV[2] or next ~= ARGV[3] then
    return 0
  end
  redis.call('HSET', KEYS[1], 'live', next)
end
redis.call('HSET', KEYS[1], 'at', now)
redis.call('HDEL', KEYS[1], 'next')
return tonumber(next)
