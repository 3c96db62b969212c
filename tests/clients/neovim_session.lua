-- What a person does in Neovim, step by step; ends with PASS or says which step failed.
local function say(...) io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " ") .. "\n") end
local function wait(what, look) assert(vim.wait(20000, look, 20), "it never happened: " .. what) end
local function marks() return vim.diagnostic.get(0) end

local ok, trouble = xpcall(function()
  wait("attached", function() return #vim.lsp.get_clients({ bufnr = 0, name = "intentls" }) == 1 end)
  local client = vim.lsp.get_clients({ bufnr = 0, name = "intentls" })[1]
  wait("initialised", function() return client.initialized end)
  say("attached", client.name, client.offset_encoding)

  vim.cmd("Intent select INT-001")
  wait("the mark", function() return #marks() == 1 end)
  assert(marks()[1].code == "SCOPE_VIOLATION" and marks()[1].message:find("INT%-002"), vim.inspect(marks()))
  say("marked:", marks()[1].message)

  vim.cmd("Intent select INT-002")
  wait("the mark to go", function() return #marks() == 0 end)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "by hand" })
  vim.cmd("write")
  say("saved")

  vim.cmd("Intent select INT-001")
  wait("the mark again", function() return #marks() == 1 end)
  local asked
  vim.ui.select = function(items, options, choose)
    asked = options.prompt
    vim.schedule(function() choose(items[1], 1) end)
  end
  local answer
  client:request("workspace/executeCommand", {
    command = "intent.writeToFile", arguments = { { path = "docs/other.md", content = "approved\n" } },
  }, function(err, result) answer = { err, result } end, 0)
  wait("the answer", function() return answer end)
  assert(answer[2].status == "ok", vim.inspect(answer))
  assert(asked and asked:find("docs/other.md", 1, true), tostring(asked))
  say("asked:", asked)

  client:stop()
  wait("the end", function() return client:is_stopped() end)
end, debug.traceback)

say(ok and "PASS" or ("FAIL " .. trouble))
vim.cmd(ok and "qa!" or "cq!")
