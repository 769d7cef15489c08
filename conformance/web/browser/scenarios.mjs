import { admin } from './admin.mjs';
import { handAlone, marketsAlone } from './alone.mjs';
import { board } from './board.mjs';
import { cashTable } from './cashTable.mjs';
import { chain } from './chain.mjs';
import { contract } from './contract.mjs';
import { elsewhere } from './elsewhere.mjs';
import { firstMinutes } from './firstMinutes.mjs';
import { firstPaidTask } from './firstPaidTask.mjs';
import { header } from './header.mjs';
import { home } from './home.mjs';
import { hostile } from './hostile.mjs';
import { interactions } from './interactions.mjs';
import { journeys } from './journeys.mjs';
import { keys } from './keys.mjs';
import { listings } from './listings.mjs';
import { longList } from './longList.mjs';
import { look } from './look.mjs';
import { longWork } from './longWork.mjs';
import { market } from './market.mjs';
import { network } from './network.mjs';
import { newcomer } from './newcomer.mjs';
import { owned } from './owned.mjs';
import { ownTask } from './ownTask.mjs';
import { pictures } from './pictures.mjs';
import { plans } from './plans.mjs';
import { plots } from './plots.mjs';
import { print } from './print.mjs';
import { publishAndDispute } from './publishAndDispute.mjs';
import { receiptInLog } from './receiptInLog.mjs';
import { sitAndGo } from './sitAndGo.mjs';
import { site } from './site.mjs';
import { state } from './state.mjs';
import { storage } from './storage.mjs';
import { speed } from './speed.mjs';
import { terms } from './terms.mjs';
import { truth } from './truth.mjs';
import { tryAndAsk } from './tryAndAsk.mjs';
import { visitor } from './visitor.mjs';
import { waysIn } from './waysIn.mjs';
import { webhooks } from './webhooks.mjs';
import { wide } from './wide.mjs';

/** Scenarios of people on the pages, by roles and names; each step is reported once it held. */
const SCENARIOS = {
  publish: publishAndDispute,
  plans,
  terms,
  keys,
  journeys,
  ways: waysIn,
  pictures,
  plots,
  header,
  board,
  home,
  list: longList,
  long: longWork,
  market,
  poker: sitAndGo,
  cash: cashTable,
  alone: marketsAlone,
  hand: handAlone,
  own: ownTask,
  log: receiptInLog,
  listings,
  chain,
  storage,
  owned,
  webhooks,
  admin,
  try: tryAndAsk,
  docs: contract,
  site,
  elsewhere,
  network,
  state,
  wide,
  print,
  hostile,
  speed,
  interactions,
  look,
  truth,
  visitor,
  first: firstPaidTask,
  minutes: firstMinutes,
  newcomer,
};

/** Those that are named, all when none is; undefined when a name means none. */
export function scenariosOf(names) {
  const all = Object.entries(SCENARIOS);
  if (names.some((name) => !Object.hasOwn(SCENARIOS, name))) return undefined;
  return names.length === 0 ? all : all.filter(([name]) => names.includes(name));
}
