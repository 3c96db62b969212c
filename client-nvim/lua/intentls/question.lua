-- A question takes the keyboard. While somebody is typing, a stray "1" and Enter would be an approval, so it waits
-- until they are back in normal mode; the server goes on meanwhile, and takes too long a silence for a no.
local METHOD = "window/showMessageRequest"
local statusline = require("intentls.statusline")

return function(err, params, context)
  statusline.count(1)
  if vim.api.nvim_get_mode().mode ~= "n" then
    local asking = coroutine.running()
    vim.notify("intentls asks something: go back to normal mode to answer", vim.log.levels.WARN)
    vim.api.nvim_create_autocmd("ModeChanged", {
      pattern = "*:n",
      once = true,
      callback = vim.schedule_wrap(function() coroutine.resume(asking) end),
    })
    coroutine.yield()
  end
  local answer = vim.lsp.handlers[METHOD](err, params, context)
  statusline.count(-1)
  return answer
end
