-- intentls for Neovim 0.11 and newer. With this folder on 'runtimepath':
--   vim.lsp.enable("intentls")
-- and change what you like with vim.lsp.config("intentls", { ... }).

---@type vim.lsp.Config
return {
  cmd = { "intentls", "serve" },
  -- Intents govern files of every kind: no `filetypes`, so every buffer that has a filetype.
  -- The nearest folder with intents; if there is none, the repository, so that `intentls init` finds a server there.
  root_markers = { { ".orchestration" }, ".git" },
  -- No intent governs a file outside of any project.
  workspace_required = true,
  init_options = { states = true },
  handlers = {
    ["intentls/stateChanged"] = function(_, state, context)
      require("intentls.statusline").hear(context.client_id, state)
    end,
    ["window/showMessageRequest"] = function(...) return require("intentls.question")(...) end,
  },
  -- What quick fixes and code lenses call. Neovim would drop the answers, and with them a refusal.
  commands = {
    ["intent.selectActiveIntent"] = function(call) require("intentls.intents").select(call.arguments[1].intent_id, call.arguments[1].root) end,
    ["intent.expandScope"] = function(call) require("intentls").expand(call.arguments[1]) end,
  },
}
