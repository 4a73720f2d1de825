import { accept } from '../../problems.ts'
import { parseReceiver } from '../receiver-settings.ts'
import type { SinkKind } from '../sink.ts'

/**
 * The address of an HTTP source with `https` replaced by `sumo`. The ownership challenge arrives as a message.
 * @source Cloudflare, "Enable Logpush to Sumo Logic"
 */
export const sumoSink: SinkKind = {
  scheme: 'sumo',
  parse(destinationConf) {
    const settings = parseReceiver(destinationConf, 'https')
    if (!settings.ok) return settings
    return accept({
      needsOwnership: true,
      folder: '',
      objects: false,
      masked: settings.value.masked,
      manifest: false,
      open: async ({ reach }) => {
        const { openSumo } = await import('./deliver.ts')
        return openSumo(settings.value, reach)
      },
    })
  },
}
