-- Puts a group on a feed, at its beginning, unless the feed has lost what the group must see.
-- KEYS: feed   ARGV: group, then the last id seen and how many there had been up to it
local exists = redis.call('EXISTS', KEYS[1]) == 1
if exists and ARGV[2] then
  local info, told = redis.call('XINFO', 'STREAM', KEYS[1]), {}
  for i = 1, #info, 2 do
    told[info[i]] = info[i + 1]
  end
  if told['entries-added'] - ARGV[3] > told['length'] then
    local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
    if not first or #redis.call('XRANGE', KEYS[1], '-', ARGV[2], 'COUNT', 1) == 0 then
      return 0
    end
  end
end
local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM')
if made.err and not string.find(made.err, 'BUSYGROUP') then
  return redis.error_reply(made.err)
end
return 1
