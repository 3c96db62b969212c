-- :LspIntentStatus: the intent, its scope, this file, and who else works where.
local server = require("intentls.server")
local M = {}

local function clock(timestamp) return timestamp and timestamp:gsub("T", " "):gsub(":%d%d%.?%d*Z$", "Z") or "" end

--- The lines of the report, each a label (often empty) and a text.
local Report = {}
Report.__index = Report

function Report:add(label, texts)
  for place, text in ipairs(type(texts) == "table" and texts or { texts }) do
    self[#self + 1] = { place == 1 and label or "", text }
  end
end

local function intent_lines(report, intent)
  if not intent then return report:add("Intent", "none: :LspIntentSelect selects one") end
  report:add("Intent", ("%s  %s  (%s)"):format(intent.id, intent.name, intent.status))
  report:add("Scope", #intent.owned_scope > 0 and intent.owned_scope or "the whole workspace")
  report:add("Constraints", intent.constraints)
  report:add("Criteria", intent.acceptance_criteria)
end

local function file_lines(report, file, verdict)
  if not verdict then return end
  local text = verdict.allowed and "may be changed" or verdict.error
  if verdict.code == "SCOPE_VIOLATION" then
    local owners = #verdict.owners > 0 and "; it belongs to " .. table.concat(verdict.owners, ", ") or ""
    text = "outside the scope" .. owners
  end
  report:add("This file", vim.list_extend({ file, text }, verdict.warnings or {}))
end

local function others_lines(report, root, own_session)
  if not root then return report:add("Others", "not known: this client did not start the server itself") end
  local lines = {}
  for _, session in ipairs(root.sessions) do
    if session.session_id ~= own_session and session.intent_id then
      lines[#lines + 1] = ("%s under %s"):format(session.session_id, session.intent_id)
      for _, work in ipairs(root.at_work) do
        if work.session_id == session.session_id then
          lines[#lines + 1] = ("  %s, since %s"):format(work.path, clock(work.since))
        end
      end
    end
  end
  for _, session in ipairs(root.elsewhere or {}) do
    local who = session.person ~= "" and session.person or session.session_id
    local facts = { session.person ~= "" and session.session_id or nil, session.branch ~= "" and session.branch or nil }
    local branch = next(facts) and (" (%s)"):format(table.concat(vim.tbl_values(facts), ", ")) or ""
    local intent = type(session.intent_id) == "string" and session.intent_id or "no intent"
    lines[#lines + 1] = ("%s on %s%s under %s, since %s"):format(who, session.host, branch, intent, clock(session.since))
    for _, path in ipairs(session.paths) do
      lines[#lines + 1] = ("  %s"):format(path)
    end
  end
  if root.away then lines[#lines + 1] = root.away end
  report:add("Others", #lines > 0 and lines or "nobody")
end

local function root_lines(report, root)
  if not root then return end
  report:add("Workspace", root.root)
  report:add("Policy", root.mode)
  if root.config_error then report:add("Problem", root.config_error) end
  local ledger = root.ledger
  report:add("Ledger", ("%d records, verified: %s"):format(ledger.records, ledger.verified))
end

local function show(report)
  local width = 0
  for _, line in ipairs(report) do width = math.max(width, #line[1]) end
  local function laid_out(line) return (" %-" .. width .. "s  %s "):format(line[1], (line[2]:gsub("\n", " "))) end
  local lines = vim.tbl_map(laid_out, report)
  local buffer = vim.lsp.util.open_floating_preview(lines, "", {
    border = "rounded",
    title = " intentls ",
    focus_id = "intentls.status",
    max_width = vim.o.columns - 4,
  })
  local space = vim.api.nvim_create_namespace("intentls.status")
  for row, line in ipairs(report) do
    vim.api.nvim_buf_set_extmark(buffer, space, row - 1, 1, { end_col = 1 + #line[1], hl_group = "Title" })
  end
end

--- The root that governs the file: the deepest one above it.
local function root_above(status, file)
  local found
  for _, root in ipairs(status and status.roots or {}) do
    if vim.fs.relpath(root.root, file) and (not found or #root.root > #found.root) then found = root end
  end
  return found or (status and status.roots[1])
end

function M.show()
  local client, file = server.client(), vim.api.nvim_buf_get_name(0)
  if not client then return server.run() end
  local questions = { { "intent.getActiveIntent" }, { "intent.listIntents" } }
  if vim.bo.buftype == "" and file ~= "" then questions[3] = { "intent.checkEdit", { path = file } } end
  server.gather(client, questions, function(active, listed, verdict)
    server.ask_program(client, { "status", "--json" }, function(status)
      local report = setmetatable({}, Report)
      local function is_active(intent) return active and intent.id == active.intent_id end
      intent_lines(report, vim.iter(listed and listed.intents or {}):find(is_active))
      file_lines(report, vim.fn.fnamemodify(file, ":."), verdict)
      local root = root_above(status, file)
      others_lines(report, root, active and active.session_id)
      root_lines(report, root)
      show(report)
    end)
  end)
end

return M
