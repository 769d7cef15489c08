/** A tool as every version of the SDK takes it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, Record<string, string>>;
    required?: string[];
  };
  annotations?: { readOnlyHint: boolean };
}

/** One that a crawler may call, one that needs arguments, one that writes. */
export const TOOLS: readonly OfferedTool[] = [
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

export interface Offer {
  readonly name: string;
  readonly tools: readonly OfferedTool[];
  readonly answer: (tool: string, args: ToolArguments) => string;
}
export type ToolArguments = Readonly<Record<string, unknown>>;

export const CURRENCIES: Offer = {
  name: 'currency-agent',
  tools: TOOLS,
  answer: (tool, args) =>
    tool === 'list-currencies' ? 'EUR USD JPY' : JSON.stringify({ name: tool, args }),
};
