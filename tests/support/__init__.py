"""What tests share: workspaces on disk, git repositories, clients."""
