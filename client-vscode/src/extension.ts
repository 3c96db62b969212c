/** Starts the extension: makes its parts, connects them and registers the commands. */

import * as vscode from 'vscode';
import { Approvals } from './approvals';
import { activateIntent, clearIntent, createIntent, selectIntent, showTrace, verifyLedger } from './commands';
import { Lessons } from './lessons';
import { forgetRoots, openFile } from './roots';
import { Server } from './server';
import { Status } from './status';
import { type Node, Tree } from './tree';

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('intentls', { log: true });
  const approvals = new Approvals();
  const server = new Server(context, log, (client) => approvals.attach(client));
  const status = new Status(server);
  const tree = new Tree(server, approvals);
  running = server;
  context.subscriptions.push(log, approvals, server, status, tree, new Lessons(server));

  const refresh = () => {
    if (server.state !== 'running') approvals.rejectAll();
    tree.update();
    status.update().catch((error: unknown) => log.info(`Nothing to show: ${String(error)}`));
  };
  const foldersChanged = () => {
    forgetRoots();
    server.refresh();
  };
  const files = vscode.workspace.createFileSystemWatcher(
    '**/.orchestration/{active_intents.yaml,intents/*.yaml,agent_trace.jsonl}',
  );
  context.subscriptions.push(
    files,
    files.onDidChange(() => server.refresh()),
    files.onDidCreate(foldersChanged),
    files.onDidDelete(foldersChanged),
    vscode.workspace.onDidChangeWorkspaceFolders(foldersChanged),
    server.changed(refresh),
    approvals.changed(() => tree.update()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()), // its own server may be the one to use now
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('intentls.server')) void server.restart();
      else if (event.affectsConfiguration('intentls')) server.configure();
    }),
  );

  const command = (name: string, run: (...args: never[]) => unknown) => {
    const reportingErrors = async (...args: never[]) => {
      try {
        await run(...args);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`intentls.${name}`, reportingErrors));
  };
  const answer = (title: string) => (node?: Node) => {
    if (node?.kind === 'approval') node.approval.answer(title);
  };
  command('selectIntent', () => selectIntent(server));
  command('clearIntent', () => clearIntent(server));
  command('createIntent', () => createIntent());
  command('verifyLedger', () => verifyLedger(server));
  command('restart', () => server.restart());
  command('showLog', () => log.show());
  command('refresh', () => server.refresh());
  command('openChange', (path: string, line?: number) => openFile(path, line));
  command('showTrace', (target?: vscode.Uri | Node) => {
    const file = target instanceof vscode.Uri ? target : target?.kind === 'file' ? target.uri : undefined;
    return showTrace(server, file);
  });
  command('activateIntent', async (node?: Node) => {
    if (node?.kind === 'intent') await activateIntent(server, node.intent.id);
  });
  command('showChanges', async (node?: Node) => {
    if (node?.kind === 'approval') await approvals.show(node.approval);
  });
  command('approve', answer('Approve'));
  command('reject', answer('Reject'));
  command('expandScope', answer('Expand scope'));

  await server.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
