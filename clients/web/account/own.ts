import type { Hub } from '../../typescript/hub.ts';
import type { Me } from '../types.ts';

export interface OwnProps {
  readonly hub: Hub;
  readonly account: string;
  readonly wallet: Me['wallet'];
  /** Asks for the account again, because money moved. */
  readonly changed: () => void;
}
