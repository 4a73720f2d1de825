import { accept } from '../../problems.ts'
import { badDestination } from '../destination-text.ts'
import { destinationLimits } from '../limits.ts'
import { parseReceiver } from '../receiver-settings.ts'
import type { SinkKind } from '../sink.ts'

/**
 * `loki://[USER:PASSWORD@]HOST:PORT[/loki/api/v1/push][?label_NAME=VALUE…][&header_X-Scope-OrgID=TENANT][&tls=false]`.
 * Without a label, `job="sluice"`. The form is specific to Sluice.
 */
export const lokiSink: SinkKind = {
  scheme: 'loki',
  parse(destinationConf) {
    const settings = parseReceiver(destinationConf, 'https', ['tls', 'insecure-skip-verify', 'label_*'])
    if (!settings.ok) return settings
    const labels: Record<string, string> = {}
    for (const [name, value] of settings.value.own) {
      if (!name.startsWith('label_')) continue
      const label = name.slice('label_'.length)
      if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label) || label.startsWith('__') || value === '')
        return badDestination('one of its label_ parameters is not a valid label, or has no value')
      labels[label] = value
    }
    if (Object.keys(labels).length > destinationLimits.lokiLabelsMax)
      return badDestination(`it has more than ${destinationLimits.lokiLabelsMax} labels`)
    const url = new URL(settings.value.url)
    if (url.pathname === '/') url.pathname = '/loki/api/v1/push'
    const stream = Object.keys(labels).length === 0 ? { job: 'sluice' } : labels
    return accept({
      needsOwnership: false,
      folder: '',
      objects: false,
      masked: settings.value.masked,
      manifest: false,
      open: async ({ reach }) => {
        const { openLoki } = await import('./deliver.ts')
        return openLoki({ ...settings.value, url }, stream, reach)
      },
    })
  },
}
