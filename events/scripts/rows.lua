-- All rows of one match in a projection's listings, unless a later version has written them, and
-- not one that the log has lost.
-- KEYS: version by match, entries by match, all entries in order, value by entry
-- ARGV: match, version, mark (how the head begins), what stands there of a version that was lost,
-- then entry and value in turn
local stands = redis.call('HGET', KEYS[1], ARGV[1]) or '0'
if tonumber(string.match(stands, '^%d+')) > tonumber(ARGV[2]) and stands ~= ARGV[4] then
  return stands
end
local entries, stays = {}, {}
for i = 5, #ARGV, 2 do
  entries[#entries + 1] = ARGV[i]
  stays[ARGV[i]] = true
end
local before = redis.call('HGET', KEYS[2], ARGV[1])
for _, entry in ipairs(before and cmsgpack.unpack(before) or {}) do
  if not stays[entry] then
    redis.call('ZREM', KEYS[3], entry)
    redis.call('HDEL', KEYS[4], entry)
  end
end
for i = 5, #ARGV, 2 do
  redis.call('ZADD', KEYS[3], 0, ARGV[i])
  redis.call('HSET', KEYS[4], ARGV[i], ARGV[i + 1])
end
redis.call('HSET', KEYS[2], ARGV[1], cmsgpack.pack(entries))
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3] == '' and ARGV[2] or ARGV[2] .. ' ' .. ARGV[3])
return 1
