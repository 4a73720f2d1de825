import { authenticate } from '../access/auth.ts'
import type { FailedSignIns } from '../access/failed-sign-ins.ts'
import { expiryMessages } from '../certificates/in-use.ts'
import type { ApiDeps } from '../deps.ts'
import type { Api } from '../http/context.ts'
import { success } from '../http/envelope.ts'
import { apiErrors, refusal } from '../http/errors.ts'
import { operationsOf, textAnswer } from '../openapi/operation.ts'
import { sendPage } from './dashboard.ts'
import { startPage, startPageHeaders } from './start-page.ts'

const operation = operationsOf('System')
const described = {
  startPage: operation('getStartPage', 'The dashboard', 'open', { answers: textAnswer('text/html') }),
  health: operation('getHealth', 'Check that the process is alive', 'open'),
  readiness: operation('getReadiness', 'Check that the process is ready', 'open'),
  metrics: operation('getMetrics', 'Metrics in Prometheus format', ['account', 'read'], {
    answers: textAnswer('text/plain'),
  }),
}

/** Of a message on what does not work although the process is ready. */
const detailCode = 10_200

/** Routes outside the API's base path: health and the dashboard, which need no credentials, and metrics. */
export function systemRoutes(app: Api, deps: ApiDeps, signIns: FailedSignIns): void {
  const { isReady, edgeRefuses, details, certificates, metrics, store, dashboard } = deps
  app.get('/', { config: described.startPage }, (_request, reply) =>
    dashboard === undefined
      ? reply.headers(startPageHeaders).send(startPage)
      : sendPage(dashboard.page, reply),
  )

  app.get('/healthz', { config: described.health }, async () => success({ status: 'alive' }))

  app.get('/readyz', { config: described.readiness }, async () => {
    if (!isReady() || !(await answers(store))) throw refusal('notReady')
    // The API is ready anyway: it is needed to fix the job that is behind.
    const reason = await edgeRefuses()
    const { code } = apiErrors.notReady
    const message = `the edge refuses requests with 503: ${reason}`
    return success({ status: 'ready' }, [
      ...(reason === undefined ? [] : [{ code, message, type: null }]),
      ...details().map(message => ({ code: detailCode, message, type: null })),
      ...expiryMessages(await certificates().catch(() => [])),
    ])
  })

  // Metrics cover the whole installation; its first account stands for it.
  app.register(async (figures: Api) => {
    figures.addHook('onRequest', authenticate(deps, signIns, 'nested'))
    figures.addHook('onRequest', async request =>
      request.setDecorator('account', (await store.accounts.list())[0] ?? null),
    )
    figures.get('/metrics', { config: described.metrics }, async (_request, reply) => {
      reply.type('text/plain; version=0.0.4; charset=utf-8')
      return metrics()
    })
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
