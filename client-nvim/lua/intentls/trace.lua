-- :LspIntentTrace: what happened to this file, newest first.
local server = require("intentls.server")
local M = {}
local LIMIT = 200
local KINDS = { human = "a person", ai = "an agent" }
local DEEDS = { did_save = "saved by hand", did_rename = "renamed by hand" }

--- "Ada", "claude-opus-4-5 for Ada"; where no name or model is known, the kind of author.
local function author(by)
  local name = by.model_id and by.model_id:match("[^/]*$") or KINDS[by.type] or by.type
  if by.type == "human" and by.name then name = by.name end
  if by.type == "ai" and by.on_behalf_of then name = name .. " for " .. by.on_behalf_of end
  if by.attested_by then name = name .. " (attested)" end
  return (name:gsub("%c+", " ")) -- a record may be another program's
end

local function who(conversations)
  local names = {}
  for _, each in ipairs(conversations) do
    local name = author(each.contributor)
    if not vim.list_contains(names, name) then names[#names + 1] = name end
  end
  return table.concat(names, ", ")
end

local function what(entry)
  if not entry.success then return "refused: " .. (entry.code or entry.error or "?") end
  local deed = DEEDS[entry.tool_name] or entry.tool_name:gsub("_", " ")
  if entry.override then return ("%s, approved by %s"):format(deed, entry.override.by) end
  return entry.scope_validation == "FAIL" and deed .. ", out of scope" or deed
end

--- "3-6, 9" and the first of these lines, or nil.
local function lines_of(conversations)
  local texts, first = {}, nil
  for _, each in ipairs(conversations) do
    for _, range in ipairs(each.ranges) do
      local from, to = range.start_line, range.end_line
      texts[#texts + 1] = from == to and tostring(from) or ("%d-%d"):format(from, to)
      first = math.min(first or from, from)
    end
  end
  return table.concat(texts, ", "), first
end

--- What a record says of one file.
local function row_of(entry, name)
  local function is_this(each) return vim.endswith(name, "/" .. each.path) end
  local file = vim.iter(entry.files):find(is_this) or entry.files[1]
  local conversations = file and file.conversations or {}
  local lines, first = lines_of(conversations)
  if entry.success and file and file.change ~= "modify" then lines = vim.trim(file.change .. " " .. lines) end
  local time = entry.timestamp:gsub("T", " "):gsub(":%d%d%.?%d*Z$", "Z")
  return { time, entry.intent_id, who(conversations), what(entry), lines, first = first, refused = not entry.success }
end

--- Rows as lines, in columns.
local function laid_out(rows)
  local widths = {}
  for _, row in ipairs(rows) do
    for column, text in ipairs(row) do widths[column] = math.max(widths[column] or 0, vim.fn.strdisplaywidth(text)) end
  end
  return vim.tbl_map(function(row)
    local cells = {}
    for column, text in ipairs(row) do
      cells[column] = text .. (" "):rep(widths[column] - vim.fn.strdisplaywidth(text))
    end
    return (table.concat(cells, "  "):gsub("%s+$", ""))
  end, rows)
end

local function fill(buffer, rows)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, laid_out(rows))
  local space = vim.api.nvim_create_namespace("intentls.trace")
  for place, row in ipairs(rows) do
    local group = place == 1 and "Title" or (row.refused and "DiagnosticWarn") or nil
    if group then vim.api.nvim_buf_set_extmark(buffer, space, place - 1, 0, { line_hl_group = group }) end
  end
  vim.bo[buffer].modifiable = false
end

--- The window with the rows: `q` closes it, Enter goes to the lines.
function M.open(kind, name, rows)
  local origin = vim.api.nvim_get_current_win()
  local buffer = vim.api.nvim_create_buf(false, true)
  fill(buffer, rows)
  vim.bo[buffer].bufhidden = "wipe"
  pcall(vim.api.nvim_buf_set_name, buffer, ("intentls://%s/%s"):format(kind, name)) -- taken if the same one is open
  vim.bo[buffer].filetype = "intentls-trace"
  vim.cmd(("botright %dsplit"):format(math.min(#rows + 1, 15)))
  vim.api.nvim_win_set_buf(0, buffer)
  vim.wo[0][0].wrap, vim.wo[0][0].cursorline, vim.wo[0][0].number = false, true, false
  vim.wo[0][0].winbar = ("%s of %s, newest first   (%sq: close)"):format(
    kind:gsub("^%l", string.upper), name:gsub("%%", "%%%%"), kind == "trace" and "Enter: to the lines, " or "")
  pcall(vim.api.nvim_win_set_cursor, 0, { 2, 0 })
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buffer, nowait = true })
  vim.keymap.set("n", "<CR>", function()
    local first = rows[vim.api.nvim_win_get_cursor(0)[1]].first
    if not first or not vim.api.nvim_win_is_valid(origin) then return end
    local last = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(origin))
    vim.api.nvim_set_current_win(origin)
    vim.api.nvim_win_set_cursor(origin, { math.min(first, last), 0 })
  end, { buffer = buffer })
end

function M.show()
  local file = vim.api.nvim_buf_get_name(0)
  if file == "" then return vim.notify("this buffer has no file, so no trace") end
  local short = vim.fn.fnamemodify(file, ":.")
  server.run("intent.queryTrace", { path = file, limit = LIMIT }, function(answer)
    if #answer.entries == 0 then return vim.notify("nothing is recorded of " .. short) end
    local rows = { { "time", "intent", "who", "what", "lines" } }
    for _, entry in ipairs(answer.entries) do rows[#rows + 1] = row_of(entry, vim.fs.normalize(file)) end
    M.open("trace", short, rows)
  end)
end

return M
