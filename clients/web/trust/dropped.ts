import {
  checkReceipt,
  isReceiptFile,
  verify,
  verifyHands,
  type PokerHand,
  type Refused,
} from '../../typescript/verify.ts';
import { checkTexts as C } from '../texts/check.ts';

interface Verified {
  readonly ok: true;
  readonly kind: string;
  readonly facts: Readonly<Record<string, unknown>>;
}
export type Verdict = Verified | Refused;

interface HandsFile {
  readonly tableId: string;
  readonly hands: readonly PokerHand[];
}

/** Checks what was dropped, whichever of the hub's objects it is, in this browser. */
export async function verifyDropped(value: unknown, keys: unknown): Promise<Verdict> {
  if (isHandsFile(value)) return handsVerdict(value);
  if (isReceiptFile(value)) {
    const found = await checkReceipt(value, keys);
    if (!found.ok) return { ok: false, reason: 'digest', at: 'receipt', says: found.says };
    return { ok: true, kind: 'receipt', facts: { ...flat(value.receipt), minute: found.minute } };
  }
  const verdict = await verify.file(value, keys);
  if (!verdict.ok) return verdict;
  const { ok, kind, ...facts } = verdict;
  return { ok, kind, facts };
}

function isHandsFile(value: unknown): value is HandsFile {
  return isObject(value) && typeof value['tableId'] === 'string' && Array.isArray(value['hands']);
}

/** The hub lists the newest first; each is checked with the one before it where that is there. */
async function handsVerdict({ tableId, hands }: HandsFile): Promise<Verdict> {
  const bad = (at: string, says: string): Refused => ({ ok: false, reason: 'rule', at, says });
  if (hands.length === 0) return bad('hands', C.noHands);
  const list = [...hands].sort((a, b) => a.n - b.n);
  try {
    for (const [place, hand] of list.entries()) {
      const before = list[place - 1];
      const verdict = await verifyHands(
        tableId,
        before?.n === hand.n - 1 ? [before, hand] : [hand],
      );
      if (!verdict.ok) return bad(C.hand(verdict.n), verdict.says);
    }
  } catch {
    // A text that is no hand fails before anything of it can be checked.
    return { ok: false, reason: 'shape', at: 'hands', says: C.noHand };
  }
  const numbers = list.map(({ n }) => n);
  return { ok: true, kind: 'hands', facts: { table: tableId, hands: numbers } };
}

/** The plain members, and those of the objects in it, under their own names. */
function flat(value: unknown): Record<string, unknown> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isObject(member) ? Object.entries(flat(member)) : [[name, member]],
    ),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
