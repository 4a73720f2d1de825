import { accept } from '../../problems.ts'
import { badDestination } from '../destination-text.ts'
import { parseReceiver } from '../receiver-settings.ts'
import type { SinkKind } from '../sink.ts'

/**
 * `datadog://HOST/PATH?header_DD-API-KEY=KEY&ddsource=cloudflare&service=S&host=H&ddtags=T`; the path is
 * `/api/v2/logs` or `/v1/input`, which the key may follow instead.
 * @source Cloudflare, "Enable Logpush to Datadog"
 */
export const datadogSink: SinkKind = {
  scheme: 'datadog',
  parse(destinationConf) {
    const settings = parseReceiver(destinationConf, 'https')
    if (!settings.ok) return settings
    const { url, headers } = settings.value
    if (headers['dd-api-key'] === undefined && !/^\/v1\/input\/[^/]+$/.test(url.pathname))
      return badDestination('it needs header_DD-API-KEY=KEY')
    return accept({
      needsOwnership: false,
      folder: '',
      objects: false,
      masked: settings.value.masked,
      manifest: false,
      open: async ({ reach }) => {
        const { openDatadog } = await import('./deliver.ts')
        return openDatadog(settings.value, reach)
      },
    })
  },
}
