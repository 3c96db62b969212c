"""One small file per group of commands; `faces.lsp.registry` names their ids."""
