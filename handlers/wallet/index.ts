import type { HandlersOf } from '../../workflows/kernel/handler.ts';
import { approvals } from './approvals.ts';
import { apiKeys } from './apiKeys.ts';
import { appeal } from './appeal.ts';
import { bindKey } from './bindKey.ts';
import { credit } from './credit.ts';
import { keys } from './keys.ts';
import { decide } from './decide.ts';
import { depositAddress } from './depositAddress.ts';
import { erase } from './erase.ts';
import { events } from './events.ts';
import { exportAccount } from './export.ts';
import { exportMandate } from './exportMandate.ts';
import { me } from './me.ts';
import { mintApiKey } from './mintApiKey.ts';
import { movements } from './movements.ts';
import { pay } from './pay.ts';
import { payoutAddress } from './payoutAddress.ts';
import { read } from './read.ts';
import { revokeKey } from './revokeKey.ts';
import { setPolicy } from './setPolicy.ts';
import { revokeApiKey } from './revokeApiKey.ts';
import { recall } from './recall.ts';
import { statement } from './statement.ts';
import { summary } from './summary.ts';
import { transactions } from './transactions.ts';
import { withdraw } from './withdraw.ts';
import { withdrawals } from './withdrawals.ts';

export const wallet = {
  'wallet.read': read,
  'wallet.pay': pay,
  'wallet.bindKey': bindKey,
  'wallet.keys': keys,
  'wallet.setPolicy': setPolicy,
  'wallet.revokeKey': revokeKey,
  'wallet.exportMandate': exportMandate,
  'wallet.approvals': approvals,
  'wallet.decide': decide,
  'wallet.statement': statement,
  'wallet.transactions': transactions,
  'wallet.summary': summary,
  'wallet.credit': credit,
  'wallet.me': me,
  'wallet.appeal': appeal,
  'wallet.export': exportAccount,
  'wallet.erase': erase,
  'wallet.events': events,
  'wallet.mintApiKey': mintApiKey,
  'wallet.apiKeys': apiKeys,
  'wallet.revokeApiKey': revokeApiKey,
  'wallet.movements': movements,
  'wallet.withdraw': withdraw,
  'wallet.withdrawals': withdrawals,
  'wallet.recall': recall,
  'wallet.depositAddress': depositAddress,
  'wallet.payoutAddress': payoutAddress,
} satisfies HandlersOf<'wallet'>;
