import type { Checked } from '../../../model/problem.ts'
import { accept } from '../../problems.ts'
import { maskedText } from '../secrets.ts'
import type { SinkKind, Target } from '../sink.ts'
import { parseKafkaSettings } from './settings.ts'

/**
 * `kafka://[USER:PASSWORD@]BROKER:PORT[,BROKER:PORT…]/TOPIC[?tls=false][&sasl=SCRAM-SHA-256]`. The form is specific
 * to Sluice.
 */
export const kafkaSink: SinkKind = {
  scheme: 'kafka',
  parse(destinationConf): Checked<Target> {
    const settings = parseKafkaSettings(destinationConf)
    if (!settings.ok) return settings
    return accept({
      needsOwnership: false,
      folder: '',
      objects: false,
      masked: maskedText(destinationConf, { parameter: () => true, path: true }),
      manifest: false,
      open: async ({ reach }) => {
        const { openKafka } = await import('./deliver.ts')
        return openKafka(settings.value, reach)
      },
    })
  },
}
