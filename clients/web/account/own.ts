import type { Hub } from '../../typescript/index.ts';
import type { Me } from '../types.ts';

/** What every part of the account page is given. */
export interface OwnProps {
  readonly hub: Hub;
  readonly account: string;
  readonly wallet: Me['wallet'];
  /** Asks for the account again, because money moved. */
  readonly changed: () => void;
}
