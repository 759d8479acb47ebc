-- Rows of a listing with their values.
-- KEYS: all entries in order, value by entry   ARGV: command, from, to, limit
local found = {}
for _, entry in ipairs(redis.call(ARGV[1], KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])) do
  found[#found + 1] = entry
  found[#found + 1] = redis.call('HGET', KEYS[2], entry)
end
return found
