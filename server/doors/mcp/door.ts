import type { Hub } from '../../hub/hub.ts';
import type { Operations } from '../operations.ts';
import { doorSpec, type Door } from '../transport.ts';
import { openMethods } from './methods.ts';
import { openCalls } from './openCalls.ts';
import { MCP_PATH } from './path.ts';
import { callTool, type ToolParts } from './toolCall.ts';
import { openMcpTransport } from './transport.ts';

/** The MCP door: the operations of the contract as tools, at one path (`transport.ts`). */
export interface McpParts {
  readonly hub: Hub;
  readonly operations: Operations;
  /** Milliseconds between two signs of life of a call that waits. */
  readonly progressEveryMs?: number;
}

const SPEC = doorSpec('mcp', MCP_PATH, 'The MCP door');
const PROGRESS_EVERY_MS = 1_000;

export function createMcpDoor(parts: McpParts): Door {
  const { hub, operations } = parts;
  const progressEveryMs = parts.progressEveryMs ?? PROGRESS_EVERY_MS;
  const tools: ToolParts = { operations, calls: openCalls(), progressEveryMs };
  const methods = openMethods(hub.settings.baseUrl);
  return openMcpTransport({
    baseUrl: hub.settings.baseUrl,
    operations,
    spec: SPEC,
    methods: (_, request) => Promise.resolve(methods(request)),
    callTool: (exchange, request) => callTool(tools, exchange, request),
    cancel: (identity, id) => tools.calls.cancel(identity, id),
  });
}
