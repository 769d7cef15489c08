import type { Handler, HandlersOf } from '../../workflows/kernel/handler.ts';
import { agentCard } from './agentCard.ts';
import { aiCatalog } from './aiCatalog.ts';
import { oneCase } from './case.ts';
import { cases } from './cases.ts';
import { conservation } from './conservation.ts';
import { docs } from './docs.ts';
import { earnings } from './earnings.ts';
import { economy } from './economy.ts';
import { error } from './error.ts';
import { errors } from './errors.ts';
import { handshake } from './handshake.ts';
import { home } from './home.ts';
import { host } from './host.ts';
import { jwks } from './jwks.ts';
import { keys } from './keys.ts';
import { llms } from './llms.ts';
import { networks } from './networks.ts';
import { openapi } from './openapi.ts';
import { quickstart } from './quickstart.ts';
import { quickstartCheck } from './quickstartCheck.ts';
import { search } from './search.ts';
import { resources } from './resources.ts';
import { seal } from './seal.ts';
import { services } from './services.ts';
import { verify } from './verify.ts';
import { stats } from './stats.ts';
import { x402 } from './x402.ts';
import { presentIndex } from './present/index.ts';

/** A 200 here means that the hub is ready. */
const index: Handler<'discovery.index'> = async (_, hub) => ({
  status: 200,
  body: presentIndex(hub),
});

export const discovery = {
  'discovery.index': index,
  'discovery.home': home,
  'discovery.host': host,
  'discovery.verify': verify,
  'discovery.quickstart': quickstart,
  'discovery.quickstartCheck': quickstartCheck,
  'discovery.llms': llms,
  'discovery.agentCard': agentCard,
  'discovery.aiCatalog': aiCatalog,
  'discovery.networks': networks,
  'discovery.services': services,
  'discovery.handshake': handshake,
  'discovery.keys': keys,
  'discovery.jwks': jwks,
  'discovery.stats': stats,
  'discovery.x402': x402,
  'discovery.resources': resources,
  'discovery.search': search,
  'discovery.earnings': earnings,
  'discovery.economy': economy,
  'discovery.conservation': conservation,
  'discovery.seal': seal,
  'discovery.errors': errors,
  'discovery.error': error,
  'discovery.openapi': openapi,
  'discovery.docs': docs,
  'discovery.cases': cases,
  'discovery.case': oneCase,
} satisfies HandlersOf<'discovery'>;
