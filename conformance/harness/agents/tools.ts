/** A tool as every version of the SDK takes it. */
export interface TestTool {
  name: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, Record<string, string>>;
    required?: string[];
  };
  annotations?: { readOnlyHint: boolean };
}

/** The tools of the test servers: one free, one that needs arguments, one that writes. */
export const TOOLS: readonly TestTool[] = [
  {
    name: 'list-currencies',
    description: 'Lists the currencies that can be converted.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'convert',
    description: 'Converts an amount from one currency into another.',
    inputSchema: {
      type: 'object',
      properties: {
        amount: { type: 'number', description: 'The amount.' },
        from: { type: 'string', description: 'Three letters.' },
        to: { type: 'string', description: 'Three letters.' },
      },
      required: ['amount', 'from', 'to'],
    },
  },
  {
    name: 'delete_history',
    description: 'Deletes what was converted before.',
    inputSchema: { type: 'object', properties: {} },
  },
];

export function toolText(name: string, args: unknown): string {
  return name === 'list-currencies' ? 'EUR USD JPY' : JSON.stringify({ name, args });
}
