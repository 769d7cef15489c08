import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The program of the release before this tree, from the history of git. */
export interface Release {
  readonly name: string;
  readonly program: string;
  remove(): void;
}

/**
 * Builds the newest tagged release, or else the commit that last stored a contract in
 * `spec/released`; `HUB_RELEASE` names another. The build uses the packages of this tree.
 */
export async function buildRelease(folder: string): Promise<Release> {
  const commit = process.env['HUB_RELEASE'] ?? newestTag() ?? newestContract();
  const root = join(folder, 'release');
  git('worktree', 'add', '--quiet', '--detach', root, commit);
  const name = git('describe', '--always', commit);
  try {
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    execFileSync(process.execPath, ['tools/prepare.mjs'], { cwd: root });
    return { name, program: join(root, 'dist/server/main.js'), remove: () => remove(root) };
  } catch (error) {
    remove(root);
    throw error;
  }
}

function newestTag(): string | undefined {
  return git('tag', '--list', 'v*', '--sort=-creatordate').split('\n')[0] || undefined;
}

function newestContract(): string {
  return git('log', '-1', '--format=%H', '--', 'spec/released');
}

function remove(root: string): void {
  git('worktree', 'remove', '--force', root);
}

function git(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim();
}
