import fc from 'fast-check';

/** Without this state nearly every generated request would name unknown accounts. */
export interface Surroundings {
  readonly self: string;
  readonly others: readonly string[];
  readonly ids: readonly string[];
  /** Digests that were stamped, with a proof and without. */
  readonly stamped: readonly string[];
  readonly nowMs: number;
}

const TASK_STATES = ['open', 'held', 'delivered', 'disputed', 'paid', 'withdrawn', 'expired'];
const DAY_MS = 86_400_000;
const ATOMIC_MAX = 10n ** 15n;

const upperCase = (text: string): string => text.toUpperCase();

/** Values of a component whose form says less than what it means; undefined for all others. */
export function ownValues(name: string, around: Surroundings): fc.Arbitrary<unknown> | undefined {
  const { self, others, ids, stamped, nowMs } = around;
  const bare = (account: string): string => account.replace(/^key:/, '');
  switch (name) {
    case 'SelfAccount':
    case 'ServicePayer':
    case 'AgentRef':
      return fc.constantFrom(self, bare(self));
    case 'OwnKeyId':
      return fc.constant(bare(self));
    case 'AccountName':
    case 'PayeeAccount':
      return fc.constantFrom(self, ...others, ...others.map(bare));
    case 'KeyIdOrAccount':
      return fc.constantFrom(self, ...others, ...others.map(bare));
    case 'KeyId':
      return fc.constantFrom(bare(self), ...others.map(bare));
    case 'Uuid':
      return ids.length === 0 ? fc.uuid() : fc.oneof(fc.constantFrom(...ids), fc.uuid());
    case 'AtomicAmount':
      return fc.oneof(
        fc.constantFrom('0', '1', '999', '1000', '10000', '250000'),
        fc.bigInt({ min: 0n, max: ATOMIC_MAX }).map(String),
      );
    case 'Timestamp':
      return fc
        .integer({ min: -DAY_MS, max: 30 * DAY_MS })
        .map((offset) => new Date(nowMs + offset).toISOString());
    case 'StampDigest':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...stamped, ...stamped.map(upperCase)) },
        { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-fA-F]{64}$/) },
      );
    case 'TaskStates':
      return fc.subarray([...TASK_STATES], { minLength: 1 }).map((some) => some.join(','));
    case 'NetworkId':
      return fc.oneof(
        { weight: 8, arbitrary: fc.constant('sandbox') },
        { weight: 1, arbitrary: fc.constantFrom('base', 'play', 'no-such-network') },
      );
    default:
      return undefined;
  }
}
