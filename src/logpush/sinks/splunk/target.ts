import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { badDestination } from '../destination-text.ts'
import { parseReceiver, type ReceiverSettings } from '../receiver-settings.ts'
import type { SinkKind, Target } from '../sink.ts'

/**
 * `splunk://HOST[:PORT]/services/collector/raw?channel=GUID&insecure-skip-verify=false&sourcetype=T&header_Authorization=Splunk%20TOKEN`;
 * with `/services/collector/event` each line becomes an event.
 * @source Cloudflare, "Enable Logpush to Splunk"
 */
export const splunkSink: SinkKind = {
  scheme: 'splunk',
  parse(destinationConf) {
    const settings = parseCollector(destinationConf)
    if (!settings.ok) return settings
    if (
      !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(
        settings.value.url.searchParams.get('channel') ?? '',
      )
    )
      return badDestination('it needs channel=GUID')
    return accept(collectorTarget(settings.value))
  },
}

/**
 * The same without a channel.
 * @source Cloudflare, "Enable Logpush to SentinelOne"
 */
export const sentinelOneSink: SinkKind = {
  scheme: 'sentinelone',
  parse(destinationConf) {
    const settings = parseCollector(destinationConf)
    return settings.ok ? accept(collectorTarget(settings.value)) : settings
  },
}

function parseCollector(destinationConf: string): Checked<ReceiverSettings> {
  const settings = parseReceiver(destinationConf, 'https', ['insecure-skip-verify'])
  if (!settings.ok) return settings
  const { url, headers } = settings.value
  if (!/^\/services\/collector(?:\/(?:raw|event))?(?:\/1\.0)?$/.test(url.pathname))
    return badDestination('its path must be /services/collector/raw or /services/collector/event')
  if (headers['authorization'] === undefined)
    return badDestination('it needs header_Authorization=Splunk%20TOKEN, or Bearer%20TOKEN for SentinelOne')
  return settings
}

function collectorTarget(settings: ReceiverSettings): Target {
  return {
    needsOwnership: false,
    folder: '',
    objects: false,
    masked: settings.masked,
    manifest: false,
    open: async ({ reach }) => {
      const { openSplunk } = await import('./deliver.ts')
      return openSplunk(settings, reach)
    },
  }
}
