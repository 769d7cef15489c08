import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from './document.ts';

/** Joins the split source into one document. Only Redocly ever reads the split form. */
export function bundle(): Document {
  const folder = mkdtempSync(join(tmpdir(), 'hub-bundle-'));
  const output = join(folder, 'openapi.json');
  try {
    redocly(['bundle', 'source', '--output', output]);
    return JSON.parse(readFileSync(output, 'utf8')) as Document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lints the source or the bundle; throws with Redocly's own words when a rule is broken. */
export function lint(api: 'source' | 'bundle'): void {
  redocly(['lint', api, '--format=codeframe', '--max-problems=200']);
}

function redocly(words: readonly string[]): void {
  const cli = 'node_modules/@redocly/cli/bin/cli.js';
  try {
    execFileSync(process.execPath, [cli, ...words, '--config=spec/redocly.yaml'], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: 'pipe',
      encoding: 'utf8',
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`redocly ${words.join(' ')}\n${stdout}\n${stderr}`);
  }
}
