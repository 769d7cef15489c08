/**
 * Answers that an agent got and asks for again at the end. Movements are kept by reason and
 * transfer, so the statement is compared both ways.
 */
export interface Kept {
  credited: bigint;
  /** `reason transfer` of movements, with their amount. */
  readonly out: Map<string, bigint>;
  readonly in: Map<string, bigint>;
  /** Ids of tasks that it published and that were paid. */
  readonly paidTasks: Set<string>;
  /** Every task that it published, and so put into escrow. */
  published: number;
  readonly callReceipts: Set<string>;
  readonly modelReceipts: Set<string>;
  /** The content of each note by its key, in the one space. */
  readonly notes: Map<string, string>;
  spaceId: string | undefined;
  /** Digests that were stamped, with the pulse that was promised and when that was. */
  readonly stamps: Map<string, { readonly pulse: string; readonly at: number }>;
  tableId: string | undefined;
  /** Tasks that it works on for others; an account may hold three. */
  working: number;
}

export function openKept(): Kept {
  return {
    credited: 0n,
    out: new Map(),
    in: new Map(),
    paidTasks: new Set(),
    published: 0,
    callReceipts: new Set(),
    modelReceipts: new Set(),
    notes: new Map(),
    spaceId: undefined,
    stamps: new Map(),
    tableId: undefined,
    working: 0,
  };
}

export function movement(reason: string, transferId: string): string {
  return `${reason} ${transferId}`;
}
