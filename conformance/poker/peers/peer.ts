import { createRequire } from 'node:module';

/** The part of poker-ts that is compared; its package has types that its own compiler made only. */
export interface Peer {
  sitDown(seat: number, buyIn: number): void;
  startHand(seat?: number): void;
  isHandInProgress(): boolean;
  isBettingRoundInProgress(): boolean;
  areBettingRoundsCompleted(): boolean;
  playerToAct(): number;
  legalActions(): {
    readonly actions: readonly string[];
    readonly chipRange?: { readonly min: number; readonly max: number };
  };
  actionTaken(action: string, betSize?: number): void;
  endBettingRound(): void;
  showdown(): void;
  button(): number;
  seats(): readonly ({ readonly stack: number; readonly betSize: number } | null)[];
  pots(): readonly { readonly size: number; readonly eligiblePlayers: readonly number[] }[];
  holeCards(): readonly (readonly PeerCard[] | null)[];
  communityCards(): readonly PeerCard[];
  winners(): readonly (readonly (readonly [number, unknown, unknown])[])[];
}
export interface PeerCard {
  readonly rank: string;
  readonly suit: 'clubs' | 'diamonds' | 'hearts' | 'spades';
}
type NewPeer = new (blinds: { smallBlind: number; bigBlind: number }, seats?: number) => Peer;

const loaded = createRequire(import.meta.url)('poker-ts') as { Table?: NewPeer; default?: NewPeer };

export function openPeer(blinds: { smallBlind: number; bigBlind: number }, seats: number): Peer {
  const made = loaded.Table ?? loaded.default;
  if (made === undefined) throw new Error('poker-ts exports no table');
  return new made(blinds, seats);
}

export function playPeerHand(random: (below: number) => number): number {
  const peer = openPeer({ smallBlind: 50, bigBlind: 100 }, 6);
  for (let seat = 0; seat < 6; seat += 1) peer.sitDown(seat, 10_000);
  peer.startHand(0);
  while (peer.isHandInProgress()) {
    while (peer.isBettingRoundInProgress()) {
      const { actions, chipRange } = peer.legalActions();
      const action = actions[random(actions.length)] ?? 'fold';
      const sized = action === 'bet' || action === 'raise';
      peer.actionTaken(action, sized ? chipRange?.min : undefined);
    }
    peer.endBettingRound();
    if (peer.areBettingRoundsCompleted()) peer.showdown();
  }
  return 1;
}
