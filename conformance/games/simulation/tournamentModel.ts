import type { Blinds, HandModel } from './handModel.ts';
import { TableModel, UNUSED_MS } from './tableModel.ts';
import type { Chance, Player, SitRefusal } from './tableTerms.ts';

/** A sit-and-go from choices poker.tables and poker.clock alone, with the hand of cash tables. */
export interface TournamentTerms {
  readonly seats: number;
  readonly buyIn: number;
  readonly actMs: number;
}
const CHIPS = 1_500;
const BLINDS: readonly (readonly [number, number])[] = [
  ...([
    [10, 20],
    [15, 30],
    [25, 50],
    [50, 100],
    [75, 150],
    [100, 200],
    [150, 300],
  ] as const),
  ...([
    [200, 400],
    [300, 600],
    [400, 800],
    [600, 1200],
    [800, 1600],
    [1000, 2000],
  ] as const),
];
const ABSENT_MS = 1_000;

export class TournamentModel extends TableModel {
  readonly buyIn: number;
  /** Places by account, once known. */
  readonly places = new Map<string, number>();
  readonly prizes = new Map<string, number>();
  started = false;

  constructor(
    { seats, buyIn, actMs }: TournamentTerms,
    balances: Map<string, number>,
    chance: Chance,
    createdAt: number,
  ) {
    super({ seats, bigBlind: 20, minBuyIn: 0, maxBuyIn: 0, actMs }, balances, chance, createdAt);
    this.buyIn = buyIn;
  }

  override atStake(): number {
    return this.finished ? 0 : this.buyIn * this.players.length;
  }

  override sit(account: string, buyIn: number | undefined, now: number): SitRefusal | undefined {
    if (this.finished) return 'wrong-state';
    const here = this.of(account);
    if (here !== undefined) {
      if (buyIn !== undefined || here.timeouts === 0 || this.places.has(account)) {
        return 'already-seated';
      }
      here.timeouts = 0;
      if (this.hand?.toAct === here.seat) this.turn(now);
      return undefined;
    }
    if (this.started) return 'started';
    if (buyIn !== undefined && buyIn !== this.buyIn) return 'buyin-range';
    const taken = this.players.map(({ seat }) => seat);
    let seat = 1;
    while (taken.includes(seat)) seat += 1;
    if (seat > this.terms.seats) return 'table-full';
    if (!this.pay(account, this.buyIn)) return 'insufficient-funds';
    const chips = { stack: CHIPS, topUp: 0, timeouts: 0, since: undefined };
    this.players.push({ account, seat, state: 'ready', ...chips });
    this.plan(now);
    return undefined;
  }

  override async leave(account: string): Promise<'not-seated' | 'started' | undefined> {
    const here = this.of(account);
    if (here === undefined || this.finished) return 'not-seated';
    if (this.started) return 'started';
    this.giveBack(here);
    this.players = this.players.filter((each) => each !== here);
    this.dealAt = undefined;
    return Promise.resolve(undefined);
  }

  protected override close(now: number): void {
    if (this.started || this.dealAt !== undefined || this.createdAt + UNUSED_MS > now) return;
    for (const player of this.players) this.giveBack(player);
    this.players = [];
    this.finished = true;
  }

  /** Blinds go on without a player who was away twice running; every turn of it lasts a second. */
  protected override isWaitedFor({ timeouts }: Player): boolean {
    return timeouts < 2;
  }

  protected override turnMs(player: Player): number {
    return this.isWaitedFor(player) ? this.terms.actMs : ABSENT_MS;
  }

  protected override blinds(): Blinds {
    const level = Math.floor((this.hands - 1) / 10);
    const listed = BLINDS[Math.min(level, BLINDS.length - 1)] ?? [0, 0];
    let [small, big]: readonly [number, number] = listed;
    for (let beyond = BLINDS.length - 1; beyond < level; beyond += 1) {
      [small, big] = [Math.ceil((small * 1.5) / 100) * 100, Math.ceil((big * 1.5) / 100) * 100];
    }
    return { small, big };
  }

  protected override async deal(now: number): Promise<void> {
    if (!this.started) {
      this.started = true;
      const drawn = await this.chance.seats();
      for (const player of this.players) player.seat = drawn.get(player.account) ?? 0;
    }
    await super.deal(now);
  }

  protected override afterHand(hand: HandModel, stacks: ReadonlyMap<number, number>): void {
    const before = this.seatsOf('inHand').length;
    const busted = hand.seats.filter(({ seat }) => stacks.get(seat) === 0);
    for (const [seat, stack] of stacks) {
      const player = this.at(seat);
      player.stack = stack;
      player.state = stack === 0 ? 'busted' : 'ready';
    }
    for (const { seat, start } of busted) {
      const ahead = busted.filter((other) => other.start > start).length;
      this.places.set(this.at(seat).account, before - busted.length + ahead + 1);
    }
    const [winner, ...others] = this.seatsOf('ready');
    if (winner === undefined || others.length > 0) return;
    this.places.set(this.at(winner).account, 1);
    this.payPrizes();
    this.finished = true;
  }

  /** Those who share a place share the money of as many places. */
  private payPrizes(): void {
    const { seats } = this.terms;
    const pot = this.buyIn * seats;
    const shares = seats <= 3 ? [100] : seats <= 6 ? [65, 35] : [50, 30, 20];
    const money = shares.map((percent) => Math.floor((pot * percent) / 100));
    money[0] = pot - money.slice(1).reduce((sum, each) => sum + each, 0);
    for (let place = 1; place <= seats; place += 1) {
      const here = this.players.filter(({ account }) => this.places.get(account) === place);
      here.sort((a, b) => a.seat - b.seat);
      const total = money.slice(place - 1, place - 1 + here.length).reduce((a, b) => a + b, 0);
      for (const [nth, { account }] of here.entries()) {
        const odd = nth < total % here.length ? 1 : 0;
        const amount = Math.floor(total / here.length) + odd;
        if (amount > 0) this.prizes.set(account, amount);
        this.balances.set(account, (this.balances.get(account) ?? 0) + amount);
      }
    }
  }

  private giveBack({ account }: Player): void {
    this.balances.set(account, (this.balances.get(account) ?? 0) + this.buyIn);
  }

  protected override plan(now: number): void {
    if (this.finished || this.hand !== undefined) return;
    if (this.players.length === this.terms.seats) this.dealAt ??= now + 1_000;
  }
}
