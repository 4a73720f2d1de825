import type { Api } from './context.ts'
import type { ApiDeps } from './deps.ts'
import { success } from './envelope.ts'

/** Where requests to the zones of an account go; Sluice's own. Any credentials may ask. */
export function edgeAddressRoutes(app: Api, { edgeUrl }: Pick<ApiDeps, 'edgeUrl'>): void {
  app.get('/edge', async () => success({ url: edgeUrl() ?? null }))
}
