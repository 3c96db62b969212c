-- What a configuration may call; all of it is in :help intentls.
return {
  --- For a status line: the active intent of this buffer's workspace, "no intent", or "" where nothing is governed.
  statusline = function() return require("intentls.statusline").text() end,
  --- Select an intent; without an id, ask which.
  select = function(id)
    local intents = require("intentls.intents")
    if id then intents.select(id) else intents.choose() end
  end,
  --- Widen a scope: { intent_id = ..., path = ... } or { intent_id = ..., glob = ... }.
  expand = function(scope) require("intentls.intents").expand(scope) end,
  --- Clear the active intent.
  clear = function() require("intentls.intents").clear() end,
  status = function() require("intentls.status").show() end,
  trace = function() require("intentls.trace").show() end,
  definition = function() require("intentls.definition").show() end,
}
