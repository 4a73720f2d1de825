import { accept } from '../../problems.ts'
import { badDestination } from '../destination-text.ts'
import { parseReceiver } from '../receiver-settings.ts'
import type { SinkKind } from '../sink.ts'

/**
 * `elastic://[USER:PASSWORD@]HOST:PORT[/PREFIX]/INDEX[?header_Authorization=ApiKey%20KEY][&tls=false]`: an index of
 * Elasticsearch or OpenSearch. The form is specific to Sluice.
 */
export const elasticSink: SinkKind = {
  scheme: 'elastic',
  parse(destinationConf) {
    const settings = parseReceiver(destinationConf, 'https', ['tls', 'insecure-skip-verify'])
    if (!settings.ok) return settings
    const { url } = settings.value
    if (!/^(?:\/[A-Za-z0-9._~-]{1,64}){0,8}\/[a-z0-9.][a-z0-9._-]{0,254}$/.test(url.pathname))
      return badDestination(
        'it must have the form elastic://HOST:PORT/INDEX or elastic://HOST/PREFIX/INDEX, with an index in lower case',
      )
    const bulk = new URL(url)
    bulk.pathname += '/_bulk'
    bulk.searchParams.set('filter_path', 'errors,items.*.status,items.*.error.type,items.*.error.reason')
    return accept({
      needsOwnership: false,
      folder: '',
      objects: false,
      masked: settings.value.masked,
      manifest: false,
      open: async ({ reach }) => {
        const { openElastic } = await import('./deliver.ts')
        return openElastic({ ...settings.value, url: bulk }, reach)
      },
    })
  },
}
