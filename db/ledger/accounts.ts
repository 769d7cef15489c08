import { HOLD_KINDS, type HoldKind } from '../../domain/ledger/reasons.ts';
import type { Balance } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';
import { text } from '../columns.ts';
import type { Row } from '../connection.ts';

export interface Held extends Balance {
  readonly id: number;
}
export interface Place {
  readonly network: NetworkId;
  readonly asset: string;
}

function holdKind(row: Row, name: string): HoldKind {
  const kind = HOLD_KINDS.find((each) => each === row[name]);
  if (kind === undefined) throw new Error(`not a hold kind: ${text(row, name)}`);
  return kind;
}
