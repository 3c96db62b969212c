/** Starts the extension: makes its parts, connects them and registers the commands. */

import * as vscode from 'vscode';
import {
  activateIntent,
  addToScope,
  clearIntent,
  createIntent,
  selectIntent,
  showProblem,
  showRefusal,
  showTrace,
  verifyLedger,
} from './commands';
import { showDefinitionHistory } from './definitionHistory';
import { registerHistory, showChange } from './history';
import { Lessons } from './lessons';
import { LineAuthor } from './lineAuthor';
import type { RootState } from './protocol';
import type { Action } from './question';
import { Questions } from './questions';
import { forgetRoots } from './roots';
import { Server } from './server';
import { Status } from './status';
import { type Node, Tree } from './tree';

let running: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('intentls', { log: true });
  const questions = new Questions(log);
  const server = new Server(context, log, (client) => questions.attach(client));
  const status = new Status(server);
  const tree = new Tree(server, questions);
  running = server;
  const own = [log, questions, server, status, tree, new Lessons(server), new LineAuthor(server), registerHistory()];
  context.subscriptions.push(...own);

  const refresh = () => {
    if (server.state !== 'running') questions.clear();
    void vscode.commands.executeCommand('setContext', 'intentls.folders', foldersState(server.roots));
    tree.update();
    status.update();
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
    vscode.window.onDidChangeActiveTextEditor(() => status.update()),
    server.changed(refresh),
    questions.changed(() => tree.update()),
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
  const answer = (action: Action) => (node?: Node) =>
    questions.answer(action, node?.kind === 'question' ? node.question : undefined);
  command('selectIntent', () => selectIntent(server));
  command('clearIntent', () => clearIntent(server));
  command('createIntent', () => createIntent(server));
  command('verifyLedger', () => verifyLedger(server));
  command('restart', () => server.restart());
  command('showLog', () => log.show());
  command('refresh', () => server.refresh());
  command('showProblem', (state?: RootState) => showProblem(server, state));
  command('openChange', async (node?: Node) => {
    if (node?.kind === 'change') await showChange(server, node.record, node.file, node.root);
  });
  command('showRefusal', async (node?: Node) => {
    if (node?.kind === 'change') await showRefusal(server, node.record, node.file, node.root);
  });
  command('addToScope', async (node?: Node) => {
    if (node?.kind === 'change') await addToScope(server, node.record, node.file, node.root);
  });
  command('showTrace', (target?: vscode.Uri | Node) => {
    const file = target instanceof vscode.Uri ? target : target?.kind === 'file' ? target.uri : undefined;
    return showTrace(server, file);
  });
  command('showDefinitionHistory', () => showDefinitionHistory(server));
  command('activateIntent', async (node?: Node) => {
    if (node?.kind === 'intent') await activateIntent(server, { id: node.intent.id, root: node.root });
  });
  command('answerQuestion', () => questions.ask());
  command('showChanges', async (node?: Node) => {
    if (node?.kind === 'question') await questions.show(node.question);
  });
  command('approve', answer('Approve'));
  command('reject', answer('Reject'));
  command('expandScope', answer('Expand scope'));

  await server.restart();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
}

/** What the empty view says: of all folders, what holds for the one that most is known of. */
function foldersState(roots: RootState[]): string {
  const order = ['active', 'idle', 'unusable', 'broken', 'undeclared', 'other_branch', 'ungoverned'];
  return order.find((state) => roots.some((root) => root.state === state)) ?? 'loading';
}
