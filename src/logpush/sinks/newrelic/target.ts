import { accept } from '../../problems.ts'
import { parseReceiver, type ReceiverSettings } from '../receiver-settings.ts'
import type { SinkKind, Target } from '../sink.ts'

/**
 * `newrelic://HOST/log/v1?Api-Key=KEY&format=cloudflare`; Cloudflare's form is `https://log-api.newrelic.com/…`, with
 * the same meaning.
 */
export const newRelicSink: SinkKind = {
  scheme: 'newrelic',
  parse(destinationConf) {
    const settings = parseReceiver(destinationConf, 'https')
    return settings.ok ? accept(newRelicTarget(settings.value)) : settings
  },
}

export function newRelicTarget(settings: ReceiverSettings): Target {
  return {
    needsOwnership: false,
    folder: '',
    objects: false,
    masked: settings.masked,
    manifest: false,
    open: async ({ reach }) => {
      const { openNewRelic } = await import('./deliver.ts')
      return openNewRelic(settings, reach)
    },
  }
}
