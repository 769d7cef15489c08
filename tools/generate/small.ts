import { callPlaces, refusalPlaces } from './callPlaces.ts';
import { throughTool } from './through.ts';
import { eachOperation, type Document, type ErrorCodeEntry } from './document.ts';

/** The closed list of refusal codes, as a type and as a table with every text. */
export function errorsModule(codes: readonly ErrorCodeEntry[]): string {
  return `export type ErrorCode =
${codes.map((entry) => `  | '${entry.code}'`).join('\n')};

export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly status: 400 | 401 | 402 | 404 | 405 | 409 | 410 | 429 | 500 | 503;
  readonly family: string;
  /** Which operations may give it; specific: those that list it. */
  readonly applies: 'every' | 'signed' | 'body' | 'owner' | 'spending' | 'once' | 'under-way' | 'specific';
  /** Whether and when the same call helps; \`never\` where the hint names another. */
  readonly retry: 'wait' | 'same' | 'later' | 'never';
  readonly says: string;
  readonly cause: string;
  readonly hint: string;
  /** The hint of a read, where it differs. */
  readonly readHint?: string;
  readonly example: { readonly call: string; readonly error: string };
}

export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = {
${codes
  .map(
    ({ retry = 'never', code, status, family, applies, says, cause, hint, readHint, example }) => {
      const entry = { code, status, family, applies, retry, says, cause, hint, readHint, example };
      const text = JSON.stringify(entry);
      return `  '${code}': ${text},`;
    },
  )
  .join('\n')}
};
`;
}

/** The codes after which the clients send the same call again, and of which calls. */
export function retriesModule(codes: readonly ErrorCodeEntry[]): string {
  const lines = codes.flatMap(({ code, retry }) =>
    retry === 'wait' || retry === 'same' ? [`  '${code}': '${retry}',\n`] : [],
  );
  return `/** \`wait\`: nothing was done, so any call; \`same\`: a read, or a call under its key. */
export const retryTable: Readonly<Record<string, 'wait' | 'same'>> = {
${lines.join('')}};
`;
}

/** Tools and skills of the agent doors, from the same operations. */
export function doorsModule(document: Document): string {
  const named = (door: 'mcp' | 'a2a'): string =>
    eachOperation(document)
      .flatMap(({ operation }) => {
        const name = operation['x-door']?.[door];
        return name === undefined ? [] : [`  '${name}': '${operation.operationId}',`];
      })
      .join('\n');
  const places = Object.entries(callPlaces(document)).map(
    ([id, each]) => `  '${id}': ${JSON.stringify(each)},`,
  );
  const through = eachOperation(document).flatMap(({ operation }) => {
    const name = operation['x-door']?.mcp;
    const besides = name === undefined ? [] : throughTool(document, name);
    if (besides.length === 0) return [];
    const listed = besides.map(({ operation: each, by }) => {
      return `    { operation: '${each.operationId}', by: ${JSON.stringify(by)} },\n`;
    });
    return [`  '${name}': [\n${listed.join('')}  ],`];
  });
  const extended = eachOperation(document).flatMap(({ operation }) => {
    const { mcp, extended: isExtended } = operation['x-door'] ?? {};
    return mcp === undefined || isExtended !== true ? [] : [`  '${mcp}',\n`];
  });
  return `import type { OperationId } from './operations.ts';

/** An operation that is called by another one's tool. */
export interface ThroughOperation {
  readonly operation: OperationId;
  readonly by: readonly string[];
}

/** Title and version of the service, for the doors. */
export const service = ${JSON.stringify({ title: document.info.title, version: document.info.version })};

/** MCP tool name to operation. */
export const mcpTools: Readonly<Record<string, OperationId>> = {
${named('mcp')}
};

/** Tools that are listed only where a toolset is asked for. */
export const mcpExtended: readonly string[] = [
${extended.join('')}];

/** Further operations of a tool, by their distinguishing arguments, the most specific first. */
export const mcpThrough: Readonly<Record<string, readonly ThroughOperation[]>> = {
${through.join('\n')}
};

/** A2A skill to operation. */
export const a2aSkills: Readonly<Record<string, OperationId>> = {
${named('a2a')}
};

/** Where the answers of an operation name a call or give a hint; an asterisk is each item of a list. */
export const callPlaces: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
${places.join('\n')}
};

/** The same of a refusal. */
export const refusalPlaces: readonly string[] = ${JSON.stringify(refusalPlaces(document))};
`;
}

/** The page for reviewers: every operation, where it answers, who may call it, whose authority. */
export function routesText(document: Document): string {
  const rows = eachOperation(document).map(({ path, method, operation }) => [
    operation.operationId,
    method.toUpperCase(),
    path,
    operation['x-auth'],
    operation['x-owner'] ?? '-',
  ]);
  return rows.map((row) => `${row.join('\t')}\n`).join('');
}
