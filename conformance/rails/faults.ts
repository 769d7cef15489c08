import { ChainUnavailable, type ChainPort } from '../../workflows/kernel/chain/port.ts';
import type { WrapPort } from '../../workflows/kernel/chain/chains.ts';

/** Faults that a test applies to the answers of a chain; each is off unless set. */
export interface Faults {
  /** No node answers. */
  gone?: boolean;
  /** Blocks that the node is behind; below zero it reports blocks that do not exist. */
  lag?: number;
  /** Every other question is refused, as by a limit. */
  busy?: boolean;
  /** Only the first logs of an answer come. */
  logsMax?: number;
  /** No block becomes final. */
  neverFinal?: boolean;
  /** A sent transaction is swallowed, though the node says that it was taken. */
  swallows?: boolean;
  /** The node takes what is sent, and the answer is lost. */
  losesAnswers?: boolean;
}

export interface FaultyChain {
  readonly faults: Faults;
  readonly wrap: WrapPort;
  /** Questions asked so far. */
  asked(): number;
}

export function faultyChain(): FaultyChain {
  const faults: Faults = {};
  let asked = 0;
  const question = (): void => {
    asked += 1;
    if (faults.gone === true) throw new ChainUnavailable('gone');
    if (faults.busy === true && asked % 2 === 0) throw new ChainUnavailable('429');
  };
  const wrap: WrapPort = (port) => {
    const counted = Object.fromEntries(
      Object.entries(port).map(([name, value]) => [
        name,
        typeof value === 'function'
          ? async (...given: readonly unknown[]) => {
              question();
              return (value as (...of: readonly unknown[]) => unknown)(...given);
            }
          : (value as unknown),
      ]),
    ) as unknown as ChainPort;
    return { ...counted, ...overrides(counted, faults) };
  };
  return { faults, wrap, asked: () => asked };
}

function overrides(port: ChainPort, faults: Faults): Partial<ChainPort> {
  const visible = async (): Promise<number> =>
    (await port.head()).number - Math.max(0, faults.lag ?? 0);
  return {
    async head() {
      const head = await port.head();
      const { lag = 0 } = faults;
      if (lag < 0)
        return { ...head, number: head.number - lag, hash: `0x${'9'.repeat(64)}` as never };
      return lag === 0 ? head : ((await port.block(head.number - lag)) ?? head);
    },
    async block(which) {
      const final = faults.neverFinal === true && which === 'finalized';
      const found = await port.block(final ? 0 : which);
      if (found === undefined || (faults.lag ?? 0) <= 0) return found;
      return found.number > (await visible()) ? undefined : found;
    },
    async transfers(from, to, receivers) {
      const found = await port.transfers(from, to, receivers);
      return found.slice(0, faults.logsMax ?? found.length);
    },
    async send(raw) {
      if (faults.swallows === true) return 'taken';
      const result = await port.send(raw);
      if (faults.losesAnswers === true) throw new ChainUnavailable('the answer was lost');
      return result;
    },
  };
}
