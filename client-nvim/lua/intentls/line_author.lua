-- Who wrote the current line, at its end: from the ledger, else from git. `vim.g.intentls_current_line = false`
-- switches it off.
local server = require("intentls.server")
local M = {}

local DELAY_MS = 200
local space = vim.api.nvim_create_namespace("intentls.line_author")
local timer = assert(vim.uv.new_timer())

local function clear(bufnr)
  if vim.api.nvim_buf_is_valid(bufnr) then vim.api.nvim_buf_clear_namespace(bufnr, space, 0, -1) end
end

local function show(bufnr)
  if vim.g.intentls_current_line == false or bufnr ~= vim.api.nvim_get_current_buf() then return end
  local client = vim.lsp.get_clients({ name = server.NAME, bufnr = bufnr })[1]
  if not client then return end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr), line = row }
  client:request("intentls/lineAuthor", params, function(_, author)
    if not vim.api.nvim_buf_is_valid(bufnr) or bufnr ~= vim.api.nvim_get_current_buf() then return end
    clear(bufnr)
    local has_moved = vim.api.nvim_win_get_cursor(0)[1] - 1 ~= row
    if has_moved or type(author) ~= "table" or vim.api.nvim_get_mode().mode:match("^[iR]") then return end
    vim.api.nvim_buf_set_extmark(bufnr, space, row, 0, {
      virt_text = { { "   " .. author.text, "LspCodeLens" } },
      virt_text_pos = "eol",
      hl_mode = "combine",
    })
  end, bufnr)
end

--- Follow the cursor.
function M.listen()
  local group = vim.api.nvim_create_augroup("intentls.line_author", {})
  vim.api.nvim_create_autocmd({ "CursorMoved", "BufEnter", "InsertLeave", "BufWritePost" }, {
    group = group,
    callback = function(event)
      clear(event.buf)
      timer:start(DELAY_MS, 0, vim.schedule_wrap(function() show(event.buf) end))
    end,
  })
  vim.api.nvim_create_autocmd("InsertEnter", { group = group, callback = function(event) clear(event.buf) end })
end

return M
