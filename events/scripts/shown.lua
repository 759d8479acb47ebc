-- The rows of one match with their values.
-- KEYS: entries by match, value by entry   ARGV: match
local found = {}
local entries = redis.call('HGET', KEYS[1], ARGV[1])
for _, entry in ipairs(entries and cmsgpack.unpack(entries) or {}) do
  found[#found + 1] = entry
  found[#found + 1] = redis.call('HGET', KEYS[2], entry)
end
return found
