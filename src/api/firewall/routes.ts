import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { KeyedQueue } from '../http/keyed-queue.ts'
import { lockdowns } from './lockdowns.ts'
import { userAgentRules } from './user-agent-rules.ts'
import { zoneRuleRoutes } from './zone-rules.ts'

/** User agent rules and lockdowns of a zone. */
export function zoneFirewallRoutes(app: Api, deps: ApiDeps): void {
  const writes = new KeyedQueue()
  zoneRuleRoutes(app, deps, userAgentRules, writes)
  zoneRuleRoutes(app, deps, lockdowns, writes)
}
