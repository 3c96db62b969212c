/** Small programs in a temporary folder, which is all that PATH holds meanwhile. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** They are shell scripts. */
export const SKIP = process.platform === 'win32' ? 'no shell scripts here' : false;

export class Programs {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'intentls-test-')));
  private readonly previousPath = process.env.PATH;

  constructor() {
    process.env.PATH = this.folder;
  }

  /** A server: it answers `--version`. Returns its path. */
  server(name: string): string {
    return this.write(name, 'echo intentls 1.0');
  }

  /** A Python whose answer to `--version` is given; without one it can't run the server. */
  python(name: string, answer?: string): string {
    return this.write(name, answer === undefined ? 'echo "no module" >&2; exit 1' : `echo ${answer}`);
  }

  /** A Python without the server, but able to run the copy of it in the extension. Returns its path. */
  barePython(name: string): string {
    return this.write(name, 'case "$*" in *launch.py*) echo intentls 1.0;; *) exit 1;; esac');
  }

  /** Whether this program was run. */
  ran(program: string): boolean {
    return existsSync(`${program}.ran`);
  }

  remove(): void {
    process.env.PATH = this.previousPath;
    rmSync(this.folder, { recursive: true });
  }

  private write(name: string, body: string): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n: > '${file}.ran'\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  }
}
