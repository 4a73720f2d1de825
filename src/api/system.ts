import type { Api } from './context.ts'
import { sendPage } from './dashboard.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'
import { refusal } from './errors.ts'
import { startPage, startPageHeaders } from './start-page.ts'

/** What lies outside the API's base path and needs no credentials: health, metrics and the dashboard. */
export function systemRoutes(app: Api, { isReady, metrics, store, dashboard }: ApiDeps): void {
  app.get('/', (_request, reply) =>
    dashboard === undefined
      ? reply.headers(startPageHeaders).send(startPage)
      : sendPage(dashboard.page, reply),
  )

  app.get('/healthz', async () => success({ status: 'alive' }))

  app.get('/readyz', async () => {
    if (!isReady() || !(await answers(store))) throw refusal('notReady')
    return success({ status: 'ready' })
  })

  app.get('/metrics', async (_request, reply) => {
    reply.type('text/plain; version=0.0.4; charset=utf-8')
    return metrics()
  })
}

async function answers(store: ApiDeps['store']): Promise<boolean> {
  try {
    await store.ping()
    return true
  } catch {
    return false
  }
}
