/** The pieces, put together. */

import * as vscode from 'vscode';
import { Gatekeeper } from './gatekeeper';
import { Lessons } from './lessons';
import { clearIntent, createIntent, selectIntent, showTrace, takeUp, verifyLedger } from './palette';
import { forgetRoots, open } from './roots';
import { Server } from './server';
import { Status } from './status';
import { type Node, Tree } from './tree';

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('intentls', { log: true });
  const gatekeeper = new Gatekeeper();
  const server = new Server(context, log, (client) => gatekeeper.attach(client));
  const status = new Status(server);
  const tree = new Tree(server, gatekeeper);
  running = server;
  context.subscriptions.push(log, gatekeeper, server, status, tree, new Lessons(server));

  const refresh = () => {
    if (server.state !== 'running') gatekeeper.forget();
    tree.update();
    status.update().catch((error: unknown) => log.info(`Nothing to show: ${String(error)}`));
  };
  const moved = () => {
    forgetRoots();
    server.refresh();
  };
  const files = vscode.workspace.createFileSystemWatcher('**/.orchestration/{active_intents.yaml,agent_trace.jsonl}');
  context.subscriptions.push(
    files,
    files.onDidChange(() => server.refresh()),
    files.onDidCreate(moved),
    files.onDidDelete(moved),
    vscode.workspace.onDidChangeWorkspaceFolders(moved),
    server.changed(refresh),
    gatekeeper.changed(() => tree.update()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()), // its own server may be the one to use now
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('intentls.server')) void server.restart();
      else if (event.affectsConfiguration('intentls')) server.configure();
    }),
  );

  const command = <A extends unknown[]>(name: string, run: (...given: A) => unknown) => {
    const safely = async (...given: A) => {
      try {
        await run(...given);
      } catch (error) {
        log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(`intentls.${name}`, safely));
  };
  const answer = (title: string) => (node?: Node) => {
    if (node?.kind === 'waiting') node.waiting.answer(title);
  };
  command('selectIntent', () => selectIntent(server));
  command('clearIntent', () => clearIntent(server));
  command('createIntent', () => createIntent());
  command('verifyLedger', () => verifyLedger(server));
  command('restart', () => server.restart());
  command('showLog', () => log.show());
  command('refresh', () => server.refresh());
  command('openChange', (path: string, line?: number) => open(path, line));
  command('showTrace', (of?: vscode.Uri | Node) => {
    const node = of instanceof vscode.Uri ? of : of?.kind === 'file' ? of.uri : undefined;
    return showTrace(server, node);
  });
  command('takeUp', async (node?: Node) => {
    if (node?.kind === 'intent') await takeUp(server, node.intent.id);
  });
  command('showChanges', async (node?: Node) => {
    if (node?.kind === 'waiting') await gatekeeper.show(node.waiting);
  });
  command('approve', answer('Approve'));
  command('reject', answer('Reject'));
  command('expandScope', answer('Expand scope'));

  await server.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}
