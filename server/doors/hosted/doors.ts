import { parseKeyId } from '../../../domain/account.ts';
import { HOSTED_PATH } from '../../../domain/hosted/agent.ts';
import type { Hub } from '../../../workflows/kernel/hub.ts';
import type { Operations } from '../operations.ts';
import type { Door } from '../transport.ts';
import { createHostedA2a } from './a2a.ts';
import { createHostedMcp } from './mcp.ts';

/** The doors of hosted agents, opened at the first request: `/hosted/<key>/mcp` and `/a2a`. */
const ADDRESS = new RegExp(`^${HOSTED_PATH}([1-9A-HJ-NP-Za-km-z]{32,44})/(mcp|a2a)$`);

export function openHostedDoors(
  hub: Hub,
  operations: Operations,
): (path: string) => Door | undefined {
  return (path) => {
    const [, key = '', kind] = ADDRESS.exec(path) ?? [];
    const keyId = key === '' ? undefined : parseKeyId(key);
    if (keyId === undefined) return undefined;
    const create = kind === 'mcp' ? createHostedMcp : createHostedA2a;
    return create(hub, operations, keyId, path);
  };
}
