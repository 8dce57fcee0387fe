-- KEYS: nothing, the records. ARGV: what lease keys begin with, how long a tombstone stays. Answers each record's state.
on_a_master(KEYS[1])
local answer = {}
for i = 2, #KEYS do answer[i - 1] = state(KEYS[i], ARGV[1], ARGV[2]) end
return answer
