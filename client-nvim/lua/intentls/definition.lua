-- :LspIntentDefinition: what happened to the definition around the cursor, newest first.
local server = require("intentls.server")
local M = {}
local BEGINNINGS = {
  unrecorded = "what was before is not on record",
  lost = "what it was before is not proven, so its history ends here",
}

function M.show()
  local client = server.client()
  if not client then return vim.notify("intentls does not run here", vim.log.levels.WARN) end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), line = line }
  client:request("intentls/definitionHistory", params, function(err, history)
    if err then return vim.notify("intentls: " .. err.message, vim.log.levels.ERROR) end
    if type(history) ~= "table" then return vim.notify("the cursor is in no definition") end
    if history.reason then return vim.notify(history.reason) end
    local name = history.kind .. " " .. history.name
    if #history.steps == 0 then return vim.notify("nothing is recorded of " .. name) end
    local rows = { { name } }
    for _, step in ipairs(history.steps) do rows[#rows + 1] = { (step.text:gsub("%c+", " ")) } end
    if BEGINNINGS[history.beginning] then rows[#rows + 1] = { BEGINNINGS[history.beginning] } end
    require("intentls.trace").open("history", name, rows)
  end, 0)
end

return M
