-- intentls for Neovim 0.11 and newer.
--
-- Put this file into ~/.config/nvim/lsp/ (or this client-nvim folder on 'runtimepath'), then
--   vim.lsp.enable("intentls")
-- and change what you like with vim.lsp.config("intentls", { ... }).

---@type vim.lsp.Config
return {
  cmd = { "intentls", "serve" },
  -- Intents govern files of every kind: no `filetypes`, so every buffer that has a filetype.
  -- The nearest folder with intents; if there is none, the repository, so that `intentls init` finds a server there.
  root_markers = { { ".orchestration" }, ".git" },
  -- A file that belongs to no project has nobody to answer to.
  workspace_required = true,
}
