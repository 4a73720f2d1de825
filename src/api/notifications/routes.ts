import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { alertRoutes } from './alerts.ts'
import { policyRoutes } from './policies.ts'
import { webhookRoutes } from './webhooks.ts'
import { NotificationWrites } from './writes.ts'

/** @source Cloudflare API, notifications */
export function notificationRoutes(app: Api, deps: ApiDeps): void {
  const writes = new NotificationWrites(deps)
  alertRoutes(app, deps)
  policyRoutes(app, deps, writes)
  webhookRoutes(app, deps, writes)
}
