import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, Answer } from '../harness/agents.ts';
import type { Fixture } from '../harness/fixture.ts';

export const FILES = '/api/v1/files';

export function putFile(
  owner: Agent,
  key: string,
  content: Uint8Array | string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const contentBase64 = Buffer.from(content).toString('base64');
  return owner.post(FILES, { owner: owner.account, key, contentBase64, ...more });
}

export function filePath(owner: Agent, key: string): string {
  return `${FILES}/${owner.account}/${encodeURIComponent(key)}`;
}

export function sha256Of(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Bytes that do not repeat, the same for the same seed. */
export function bytesOf(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed >>> 0;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Names of what lies in a folder of the hub: its store of files, or its uploads. */
export async function storedObjects(world: Fixture, folder = 'files'): Promise<readonly string[]> {
  const root = join(world.hub.running.hub.settings.dataDir, folder);
  const names = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return names.filter((each) => each.isFile()).map(({ name }) => name);
}
