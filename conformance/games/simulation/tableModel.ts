import { clockwise, HandModel, type Blinds, type Positions } from './handModel.ts';
import type { Chance, Player, SitRefusal, Terms } from './tableTerms.ts';

/**
 * A cash table from choices poker.tables, poker.blinds and poker.clock alone: chips, deals and the
 * clock. Where chance decides, the hub is asked: for the first button, and for the cards of a
 * finished hand.
 */
const AWAY_MS = 15_000;
const SIT_OUT_MS = 600_000;
const BUSTED_MS = 60_000;
const SOUTH_MS = 1_800_000;
const IDLE_MS = 1_800_000;
export const UNUSED_MS = 86_400_000;

export class TableModel {
  readonly terms: Terms;
  readonly balances: Map<string, number>;
  readonly chance: Chance;
  readonly createdAt: number;
  players: Player[] = [];
  hand: HandModel | undefined;
  hands = 0;
  deadline = 0;
  dealAt: number | undefined;
  emptySince: number | undefined;
  finished = false;
  protected before: { readonly smallPlace: number; readonly big: number } | undefined;
  protected running = false;
  private readonly left = new Map<string, { readonly at: number; readonly stack: number }>();

  constructor(terms: Terms, balances: Map<string, number>, chance: Chance, createdAt: number) {
    this.terms = terms;
    this.balances = balances;
    this.chance = chance;
    this.createdAt = createdAt;
  }

  of(account: string): Player | undefined {
    return this.players.find((player) => player.account === account);
  }

  at(seat: number): Player {
    const player = this.players.find((each) => each.seat === seat);
    if (player === undefined) throw new Error(`the model has no player at ${seat}`);
    return player;
  }

  chipsOf(player: Player): number {
    const seat = this.hand?.seats.find((each) => each.seat === player.seat);
    const isIn = player.state === 'inHand' || player.state === 'leaving';
    const chips = seat !== undefined && isIn ? seat.stack + seat.total : player.stack;
    return chips + player.topUp;
  }

  atStake(): number {
    return this.players.reduce((sum, player) => sum + this.chipsOf(player), 0);
  }

  sit(account: string, buyIn: number | undefined, now: number): SitRefusal | undefined {
    if (this.finished) return 'wrong-state';
    const { minBuyIn, maxBuyIn, seats } = this.terms;
    const here = this.of(account);
    if (here !== undefined) return this.sitAgain(here, buyIn, now);
    const left = this.left.get(account);
    const brought = left !== undefined && now - left.at < SOUTH_MS ? left.stack : 0;
    const least = Math.max(minBuyIn, Math.min(brought, maxBuyIn));
    if (buyIn === undefined || buyIn < least || buyIn > maxBuyIn) return 'buyin-range';
    const taken = this.players.map(({ seat }) => seat);
    const free = Array.from({ length: seats }, (_, nth) => nth + 1).filter(
      (seat) => !taken.includes(seat),
    );
    const [seat] = free;
    if (seat === undefined) return 'table-full';
    if (!this.pay(account, buyIn)) return 'insufficient-funds';
    const state = this.running ? 'waiting' : 'ready';
    const chips = { stack: buyIn, topUp: 0, timeouts: 0, since: undefined };
    this.players.push({ account, seat, state, ...chips });
    this.emptySince = undefined;
    this.plan(now);
    return undefined;
  }

  protected sitAgain(here: Player, buyIn: number | undefined, now: number): SitRefusal | undefined {
    if (here.state === 'leaving') return 'already-seated';
    const away = here.state === 'sittingOut';
    if (buyIn === undefined) {
      if (!away) return 'already-seated';
    } else {
      if (buyIn === 0 || this.chipsOf(here) + buyIn > this.terms.maxBuyIn) return 'buyin-range';
      if (!this.pay(here.account, buyIn)) return 'insufficient-funds';
      if (here.state === 'inHand') here.topUp += buyIn;
      else here.stack += buyIn;
    }
    if (!away && here.state !== 'busted') return undefined;
    here.state = this.running ? 'waiting' : 'ready';
    here.timeouts = 0;
    here.since = undefined;
    this.plan(now);
    return undefined;
  }

  async leave(account: string, now: number): Promise<'not-seated' | 'started' | undefined> {
    const here = this.of(account);
    if (here === undefined) return 'not-seated';
    if (here.state === 'inHand' || here.state === 'leaving') {
      here.state = 'leaving';
      if (this.hand?.toAct === here.seat) await this.act('fold', 0, now);
      return undefined;
    }
    this.cashOut(here, now);
    this.plan(now);
    return undefined;
  }

  /** Makes a legal move of the seat that is on turn; a player that moves is there. */
  async play(name: string, to: number, now: number): Promise<void> {
    this.isThere();
    await this.act(name, to, now);
  }

  /** Even a move that is refused shows that its player is there. */
  isThere(): void {
    if (this.hand?.toAct !== undefined) this.at(this.hand.toAct).timeouts = 0;
  }

  /** All that is due by now, one thing after the other. */
  async tick(now: number): Promise<void> {
    while (await this.stepOf(now));
  }

  protected async stepOf(now: number): Promise<boolean> {
    const { hand, dealAt } = this;
    if (this.finished) return false;
    if (hand?.toAct !== undefined && this.deadline <= now) {
      const player = this.at(hand.toAct);
      if (this.isWaitedFor(player) && now - this.deadline > AWAY_MS) this.turn(now);
      else await this.timeOut(player, hand, now);
      return true;
    }
    if (hand === undefined && dealAt !== undefined && dealAt <= now) {
      await this.deal(now);
      return true;
    }
    const gone = this.players.find((player) => givenUpAt(player) <= now);
    if (gone !== undefined) {
      this.cashOut(gone, now);
      this.plan(now);
      return true;
    }
    this.close(now);
    return false;
  }

  protected close(now: number): void {
    const { emptySince, createdAt } = this;
    const idle = emptySince === undefined ? createdAt + UNUSED_MS : emptySince + IDLE_MS;
    this.finished = this.players.length === 0 && idle <= now;
  }

  protected isWaitedFor({ state }: Player): boolean {
    return state !== 'leaving';
  }

  protected turnMs({ state }: Player): number {
    return state === 'leaving' ? 0 : this.terms.actMs;
  }

  protected blinds(): Blinds {
    const { bigBlind } = this.terms;
    return { small: Math.floor(bigBlind / 2), big: bigBlind };
  }

  protected async timeOut(player: Player, hand: HandModel, now: number): Promise<void> {
    const isFree = hand.bet <= hand.seat(player.seat).bet;
    const leaves = player.state === 'leaving';
    if (!leaves) player.timeouts += 1;
    await this.act(isFree && !leaves ? 'check' : 'fold', 0, now);
  }

  protected async act(name: string, to: number, now: number): Promise<void> {
    this.hand?.move(name, to);
    await this.goOn(now);
  }

  protected async goOn(now: number): Promise<void> {
    const { hand } = this;
    if (hand === undefined) return;
    if (!hand.isOver()) return this.turn(now);
    const nobody = { board: [], holes: new Map<number, readonly string[]>() };
    const cards = hand.street === 'showdown' ? await this.chance.cards(hand.n) : nobody;
    this.hand = undefined;
    this.afterHand(hand, hand.stacksAfter(cards), now);
    this.plan(now);
  }

  protected afterHand(_: HandModel, stacks: ReadonlyMap<number, number>, now: number): void {
    for (const [seat, stack] of stacks) this.settle(this.at(seat), stack, now);
  }

  protected turn(now: number): void {
    const player = this.at(this.hand?.toAct ?? 0);
    this.deadline = now + this.turnMs(player);
  }

  protected settle(player: Player, stack: number, now: number): void {
    player.stack = stack + player.topUp;
    player.topUp = 0;
    if (player.state === 'leaving') return this.cashOut(player, now);
    player.state = 'ready';
    if (player.stack === 0) player.state = 'busted';
    else if (player.timeouts >= 2) player.state = 'sittingOut';
    if (player.state !== 'ready') player.since = now;
  }

  protected async deal(now: number): Promise<void> {
    this.hands += 1;
    const ready = this.seatsOf('ready');
    const [at, smallPlace] = await this.positions(ready);
    this.before = { smallPlace, big: at.big };
    this.running = true;
    this.dealAt = undefined;
    const stacks = new Map<number, number>();
    for (const seat of new Set([...ready, at.big])) {
      const player = this.at(seat);
      player.state = 'inHand';
      stacks.set(seat, player.stack);
    }
    this.hand = new HandModel(this.hands, stacks, at, this.blinds());
    await this.goOn(now);
  }

  /** The big blind moves on by one player; small blind and button follow to where it was. */
  protected async positions(ready: readonly number[]): Promise<readonly [Positions, number]> {
    const { before } = this;
    if (before === undefined) {
      const button = await this.chance.firstButton();
      const order = clockwise(ready, button);
      const [small = 0, big = 0] = order.length === 2 ? [button, ...order] : order;
      return [{ button, small, big }, small];
    }
    const [big = 0] = clockwise([...ready, ...this.seatsOf('waiting')], before.big);
    const others = ready.filter((seat) => seat !== big);
    const [other] = others;
    if (others.length === 1 && other !== undefined) {
      return [{ button: other, small: other, big }, other];
    }
    const small = others.includes(before.big) ? before.big : undefined;
    return [{ button: before.smallPlace, small, big }, before.big];
  }

  protected seatsOf(state: Player['state']): readonly number[] {
    return this.players.filter((player) => player.state === state).map(({ seat }) => seat);
  }

  protected pay(account: string, amount: number): boolean {
    const balance = this.balances.get(account) ?? 0;
    if (balance < amount) return false;
    this.balances.set(account, balance - amount);
    return true;
  }

  protected cashOut(player: Player, now: number): void {
    const stack = player.stack + player.topUp;
    this.balances.set(player.account, (this.balances.get(player.account) ?? 0) + stack);
    this.left.set(player.account, { at: now, stack });
    this.players = this.players.filter((each) => each !== player);
  }

  protected plan(now: number): void {
    if (this.hand !== undefined) return;
    if (this.seatsOf('ready').length < 2) {
      for (const player of this.players) if (player.state === 'waiting') player.state = 'ready';
    }
    const isEnough = this.seatsOf('ready').length >= 2;
    if (isEnough) this.dealAt ??= now + 1_000;
    else {
      this.dealAt = undefined;
      this.running = false;
    }
    if (this.players.length === 0) this.emptySince ??= now;
  }
}

function givenUpAt({ state, since }: Player): number {
  if (since === undefined) return Infinity;
  if (state === 'sittingOut') return since + SIT_OUT_MS;
  return state === 'busted' ? since + BUSTED_MS : Infinity;
}
