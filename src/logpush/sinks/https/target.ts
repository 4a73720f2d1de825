import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { newRelicTarget } from '../newrelic/target.ts'
import { parseReceiver } from '../receiver-settings.ts'
import type { SinkKind, Target } from '../sink.ts'

/**
 * `https://[user:password@]host/path?header_Name=value`: any receiver that accepts POST. New Relic has no scheme in
 * Cloudflare's form, so its hosts are recognised here.
 * @source Cloudflare, "Enable HTTP destination"
 */
export const httpsSink: SinkKind = { scheme: 'https', parse: text => parseHttps(text, 'https') }

/** The same without TLS, for receivers on the same machine or network. */
export const httpSink: SinkKind = { scheme: 'http', parse: text => parseHttps(text, 'http') }

function parseHttps(destinationConf: string, protocol: 'http' | 'https'): Checked<Target> {
  const settings = parseReceiver(destinationConf, protocol)
  if (!settings.ok) return settings
  if (/^log-api(?:\.eu)?\.newrelic\.com$/.test(settings.value.url.hostname))
    return accept(newRelicTarget(settings.value))
  return accept({
    needsOwnership: false,
    folder: '',
    objects: false,
    masked: settings.value.masked,
    manifest: false,
    open: async ({ reach }) => {
      const { openHttps } = await import('./deliver.ts')
      return openHttps(settings.value, reach)
    },
  })
}
