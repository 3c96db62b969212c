"""One small file per editor feature; `faces.lsp.registry` names their LSP methods."""
