-- What a person does in Neovim, step by step; ends with PASS or says which step failed.
local function say(...) io.stdout:write(table.concat(vim.tbl_map(tostring, { ... }), " ") .. "\n") end
local function wait(what, look) assert(vim.wait(60000, look, 20), "it never happened: " .. what) end
local function marks() return vim.diagnostic.get(0) end
local function text_of(buffer) return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false), "\n") end
local function has(text, wanted) assert(text:find(wanted, 1, true), ("%q is not in\n%s"):format(wanted, text)) end
local function lacks(text, unwanted)
  assert(not text:find(unwanted, 1, true), ("%q is in\n%s"):format(unwanted, text))
end
local function status_line() return vim.api.nvim_eval_statusline("%{v:lua.require'intentls'.statusline()}", {}).str end

-- Whoever is asked to choose something: remembers what was shown, and takes what fits.
local shown
local function choosing(wanted)
  shown = nil
  vim.ui.select = function(items, options, choose)
    local labels = vim.tbl_map(options.format_item or tostring, items)
    shown = (options.prompt or "") .. "\n" .. table.concat(labels, "\n")
    for place, label in ipairs(labels) do
      if label:find(wanted, 1, true) then return vim.schedule(function() choose(items[place], place) end) end
    end
    error(wanted .. " is no choice:\n" .. shown)
  end
end

local client

local function starts()
  wait("attached", function() return #vim.lsp.get_clients({ bufnr = 0, name = "intentls" }) == 1 end)
  client = vim.lsp.get_clients({ bufnr = 0, name = "intentls" })[1]
  say("attached", client.name, client.offset_encoding, "Neovim", tostring(vim.version()))
  assert(not client.capabilities.workspace.didChangeWatchedFiles.dynamicRegistration, "this Neovim watches files")
  wait("the status line", function() return status_line() == "no intent" end)
end

local function selects()
  choosing("INT-001")
  vim.cmd("LspIntentSelect")
  wait("the choice", function() return shown end)
  has(shown, "INT-001  IN_PROGRESS  Build Weather API  src/api/** tests/api/*.py !src/api/generated/**")
  has(shown, "INT-002  PLANNED      Write the guide    docs/**")
  lacks(shown, "INT-003")
  wait("the mark", function() return #marks() == 1 end)
  assert(marks()[1].code == "SCOPE_VIOLATION" and marks()[1].message:find("INT%-002"), vim.inspect(marks()))
  wait("the status line", function() return status_line() == "INT-001" end)
  assert(vim.deep_equal(vim.fn.getcompletion("LspIntentSelect INT-0", "cmdline"), { "INT-001", "INT-002" }))
  assert(vim.deep_equal(vim.fn.getcompletion("Intent select INT-002", "cmdline"), { "INT-002" }))
  say("selected, marked:", marks()[1].message)
end

local function draws_without_asking()
  local asked = 0
  local watcher = vim.api.nvim_create_autocmd("LspRequest", { callback = function() asked = asked + 1 end })
  for _ = 1, 200 do status_line() end
  vim.api.nvim_del_autocmd(watcher)
  assert(asked == 0, asked .. " requests while drawing")
end

local function reads_the_status()
  vim.cmd("LspIntentStatus")
  local window
  wait("the status window", function()
    local function floats(each) return vim.api.nvim_win_get_config(each).relative ~= "" end
    window = vim.iter(vim.api.nvim_list_wins()):find(floats)
    return window
  end)
  local text = text_of(vim.api.nvim_win_get_buf(window))
  has(text, "INT-001  Build Weather API  (IN_PROGRESS)")
  has(text, "Must not use external auth providers")
  has(text, "outside the scope; it belongs to INT-002")
  has(text, "builder under INT-002")
  vim.api.nvim_win_close(window, true)
  say(text)
end

local function fixes()
  choosing("Expand scope of INT-001 to this file")
  vim.lsp.buf.code_action()
  wait("the quick fixes", function() return shown end)
  has(shown, "Switch to INT-002 (Write the guide)")
  wait("the mark to go", function() return #marks() == 0 end)
  has(table.concat(vim.fn.readfile(".orchestration/active_intents.yaml"), "\n"), '"docs/design.md"]')
  say("fixed")
end

local function keeps_authors_apart()
  vim.cmd("edit src/api/weather.py")
  wait("attached", function() return #vim.lsp.get_clients({ bufnr = 0, name = "intentls" }) == 1 end)
  local edit = { path = "src/api/weather.py", old_string = "'sunny'", new_string = "'rain'", model_identifier = "m" }
  local reply
  client:request("workspace/executeCommand", { command = "intent.editFile", arguments = { edit } }, function(err, result)
    reply = err or result
  end, 0)
  wait("the agent's edit", function() return reply and text_of():find("'rain'", 1, true) end)
  assert(reply.applied == "editor", vim.inspect(reply))
  vim.cmd("undo")
  has(text_of(), "'sunny'")
  vim.cmd("redo")
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { "# by hand" })
  vim.cmd("write")
  wait("the record", function()
    local function is_save(line) return line:find('"did_save"', 1, true) and line:find("weather.py", 1, true) end
    return vim.iter(io.lines(".orchestration/agent_trace.jsonl")):any(is_save)
  end)
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd("LspIntentDefinition")
  wait("the history", function() return vim.bo.filetype == "intentls-trace" end)
  assert(text_of():match("^function today\nchanged by Ada, m for Ada, just now · INT%-001"), text_of())
  say(text_of())
  vim.api.nvim_feedkeys("q", "x", false)
  vim.cmd("edit docs/design.md")
end

local function shows_the_author_of_the_line()
  local space = vim.api.nvim_get_namespaces()["intentls.line_author"]
  local function shown_at(row)
    local marks_there = vim.api.nvim_buf_get_extmarks(0, space, { row, 0 }, { row, -1 }, { details = true })
    return marks_there[1] and marks_there[1][4].virt_text[1][1] or ""
  end
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.api.nvim_exec_autocmds("CursorMoved", {})
  wait("the author", function() return shown_at(1):find("Ada, just now · INT-001", 1, true) end)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_exec_autocmds("CursorMoved", {})
  wait("the author to go", function() return shown_at(1) == "" end)
end

local function says_that_intents_are_broken()
  local file = ".orchestration/active_intents.yaml"
  local good = vim.fn.readfile(file)
  vim.fn.writefile({ "active_intents: [" }, file)
  wait("the status line", function() return status_line() == "agents blocked" end)
  vim.fn.writefile(good, file)
  wait("the status line", function() return status_line() == "INT-001" end)
end

local function saves_and_looks_back()
  local page = vim.api.nvim_get_current_win()
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "by hand", "twice" })
  vim.cmd("write")
  local ledger = ".orchestration/agent_trace.jsonl"
  wait("the record", function()
    local function is_save(line) return line:find('"did_save"', 1, true) end
    return vim.uv.fs_stat(ledger) and vim.iter(io.lines(ledger)):any(is_save)
  end)
  vim.cmd("LspIntentTrace")
  wait("the trace", function() return vim.bo.filetype == "intentls-trace" end)
  local text = text_of()
  local row = "%d+%-%d+%-%d+ %d+:%d+Z +INT%-001 +Ada +saved by hand +2%-3"
  assert(text:match("^time +intent +who +what +lines\n" .. row), text)
  vim.api.nvim_feedkeys(vim.keycode("<CR>"), "x", false)
  local there = vim.api.nvim_get_current_win() == page and vim.api.nvim_win_get_cursor(0)[1] == 2
  assert(there, "Enter did not go to the lines")
  vim.cmd.wincmd("j")
  vim.api.nvim_feedkeys("q", "x", false)
  assert(#vim.api.nvim_list_wins() == 1, "q did not close the trace")
  say(text)
end

local function agent_writes(path, answer, meanwhile)
  choosing(answer)
  local reply
  client:request("workspace/executeCommand", {
    command = "intent.writeToFile", arguments = { { path = path, content = "written\n" } },
  }, function(err, result) reply = { err, result } end, 0)
  if meanwhile then meanwhile() end
  wait("the answer", function() return reply end)
  has(shown, path)
  return reply[2]
end

local function answers()
  local rejected = agent_writes("docs/rejected.md", "Reject")
  assert(rejected.code == "SCOPE_VIOLATION", vim.inspect(rejected))
  local approved = agent_writes("docs/approved.md", "Approve")
  assert(approved.status == "ok", vim.inspect(approved))
  say("answered both ways")
end

-- A script can't stay in insert mode, so the mode is only said to be that.
local function is_not_asked_while_typing()
  local get_mode, notify, told = vim.api.nvim_get_mode, vim.notify, nil
  vim.notify = function(message) told = message end
  vim.api.nvim_get_mode = function() return { mode = "i", blocking = false } end
  agent_writes("docs/typing.md", "Reject", function()
    wait("the hint", function() return told end)
    assert(not shown, "it asked in the middle of a word")
    wait("the count", function() return status_line() == "INT-001  1 question" end)
    vim.api.nvim_get_mode, vim.notify = get_mode, notify
    vim.api.nvim_exec_autocmds("ModeChanged", { pattern = "i:n" })
  end)
  wait("the count to go", function() return status_line() == "INT-001" end)
end

local function hears_of_refusals()
  local told
  local notify = vim.notify
  vim.notify = function(message) told = message end
  choosing("Reject")
  vim.cmd("LspIntentSelect INT-003")
  wait("the refusal", function() return told end)
  vim.notify = notify
  has(told, "INT-003")
  assert(status_line() == "INT-001", status_line())
end

local function runs_a_lens()
  vim.cmd("edit .orchestration/active_intents.yaml")
  local function titled(title)
    return vim.iter(vim.lsp.codelens.get(0)):find(function(lens) return lens.command.title == title end)
  end
  local function on_line_of(lens, id) return lens and vim.fn.getline(lens.range.start.line + 1):find(id, 1, true) end
  wait("attached", function() return #vim.lsp.get_clients({ bufnr = 0, name = "intentls" }) == 1 end)
  vim.lsp.codelens.refresh({ bufnr = 0 })
  wait("the lenses", function() return on_line_of(titled("Selected"), "INT-001") end)
  vim.api.nvim_win_set_cursor(0, { titled("Select").range.start.line + 1, 0 })
  choosing("Select")
  vim.lsp.codelens.run()
  wait("the lens to do it", function() return status_line() == "INT-002" end)
  wait("the lenses to follow", function() return on_line_of(titled("Selected"), "INT-002") end)
  say("selected by a lens")
end

local function governs_files_of_no_type()
  vim.cmd("edit VERSION")
  assert(vim.bo.filetype == "", vim.bo.filetype)
  wait("the mark on VERSION", function() return #marks() == 1 end)
  vim.cmd("Intent clear")
  wait("the mark to go", function() return #marks() == 0 or marks()[1].code == "INTENT_REQUIRED" end)
  wait("the status line", function() return status_line() == "no intent" end)
end

local function is_healthy()
  vim.cmd("checkhealth intentls")
  local text = text_of()
  local lines = { "intentls, version", "enabled", "3 intents, 2 of them open", "policy: enforce", "file watcher: none" }
  for _, wanted in ipairs(lines) do has(text, wanted) end
  lacks(text, "ERROR")
  lacks(text, "WARNING")
  vim.cmd("help :LspIntentTrace")
  has(vim.api.nvim_get_current_line(), ":LspIntentTrace")
end

local steps = {
  starts, selects, draws_without_asking, reads_the_status, fixes, saves_and_looks_back,
  shows_the_author_of_the_line, keeps_authors_apart, says_that_intents_are_broken, answers,
  is_not_asked_while_typing, hears_of_refusals, runs_a_lens, governs_files_of_no_type, is_healthy,
}
local ok, trouble = xpcall(function()
  for _, step in ipairs(steps) do step() end
  client:stop()
  wait("the end", function() return client:is_stopped() end)
end, debug.traceback)

say(ok and "PASS" or ("FAIL " .. trouble))
vim.cmd(ok and "qa!" or "cq!")
