import { HOSTED_PATH } from '../../domain/hosted/agent.ts';
import { createA2aDoor } from './a2a/door.ts';
import { A2A_PATH } from './a2a/path.ts';
import { createKeyDirectory, KEY_DIRECTORY_PATH } from './keyDirectory.ts';
import { createMcpDoor } from './mcp/door.ts';
import { MCP_PATH } from './mcp/path.ts';
import { openHostedDoors } from './hosted/doors.ts';
import { openOperations, type OperationsParts } from './operations.ts';
import type { Routes } from '../http/routes.ts';
import type { Door } from './transport.ts';

export interface Doors {
  at(path: string): Door | undefined;
  /** The name that metrics count a door's requests under; all hosted agents share one. */
  nameOf(path: string): string;
}

/** The agent doors by path; each of their calls runs one operation of the contract. */
export function createDoors(parts: OperationsParts, routes: Routes): Doors {
  const operations = openOperations(parts);
  const { hub } = parts;
  const own = new Map([
    [MCP_PATH, createMcpDoor({ hub, operations, routes })],
    [A2A_PATH, createA2aDoor({ hub, operations, routes })],
    [KEY_DIRECTORY_PATH, createKeyDirectory(hub)],
  ]);
  const hosted = openHostedDoors(hub, operations);
  return {
    at: (path) => own.get(path) ?? hosted(path),
    nameOf: (path) => (path.startsWith(HOSTED_PATH) ? HOSTED_PATH : path),
  };
}
