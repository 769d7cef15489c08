import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from './document.ts';

/** Joins the split source into one document. Only Redocly ever reads the split form. */
export function bundle(): Document {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bundle-'));
  const output = join(folder, 'openapi.json');
  try {
    const { status, printed } = redocly(['bundle', 'source', '--output', output]);
    if (status !== 0) throw new Error(`the contract does not bundle\n${printed}`);
    return JSON.parse(readFileSync(output, 'utf8')) as Document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The answer to `Prefer: dry-run`; the parameter names it, no operation lists it. */
const TOLD_BY_A_PARAMETER = '#/components/schemas/Preview';

/** Lints the source or the bundle; throws with Redocly's words on any error or warning. */
export function lint(api: 'source' | 'bundle'): void {
  const { printed } = redocly(['lint', api, '--format=json', '--max-problems=100']);
  const { problems: all } = JSON.parse(
    printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1),
  ) as {
    problems: Problem[];
  };
  const problems = all.filter(({ ruleId, location }) => {
    const isNotified = location.some(({ pointer }) => pointer === TOLD_BY_A_PARAMETER);
    return !(ruleId === 'no-unused-components' && isNotified);
  });
  if (problems.length === 0) return;
  const lines = problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} (${location[0]?.source.ref ?? ''} ${location[0]?.pointer ?? ''})`,
  );
  throw new Error(`${api} breaks ${problems.length} rules\n${lines.join('\n')}`);
}

interface Problem {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly {
    readonly source: { readonly ref: string };
    readonly pointer?: string;
  }[];
}

function redocly(words: readonly string[]): {
  readonly status: number | null;
  readonly printed: string;
} {
  const cli = 'node_modules/@redocly/cli/bin/cli.js';
  const run = spawnSync(process.execPath, [cli, ...words, '--config=spec/redocly.yaml'], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    encoding: 'utf8',
  });
  return { status: run.status, printed: run.status === 0 ? run.stdout : run.stdout + run.stderr };
}
