import type { Balance } from '../../domain/ledger/transfer.ts';
import type { NetworkId } from '../../domain/network.ts';

export interface Held extends Balance {
  readonly id: number;
}
export interface Place {
  readonly network: NetworkId;
  readonly asset: string;
}
