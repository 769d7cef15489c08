import { eachOperation, type Document } from './document.ts';

/** Generates the prices of operations, the one source for charging and for listing. */
export function chargesModule(document: Document): string {
  const rows = eachOperation(document).flatMap(({ operation }) => {
    const charge = operation['x-charge'];
    return charge === undefined
      ? []
      : [`  '${operation.operationId}': ${JSON.stringify(charge)},\n`];
  });
  return `export interface Charge {
  /** The reason of its transfers in the journal. */
  readonly reason: string;
  readonly paidBy: string;
  readonly parts: Readonly<Record<string, ChargePart>>;
}
export interface ChargePart {
  readonly what: string;
  /** Atomic units, absent where the price is another's. */
  readonly amount?: string;
  /** The unit of the price, such as once or each. */
  readonly unit: string;
}

export const charges = {
${rows.join('')}} as const satisfies Readonly<Record<string, Charge>>;
`;
}
