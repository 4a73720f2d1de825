import type { DeclarationOf } from './declaration.ts'
import { parseSwitch } from './values.ts'

export interface TracesSettings {
  /** The rest are the variables of OpenTelemetry. */
  readonly traces: boolean
}

export const tracesSettings: readonly DeclarationOf<keyof TracesSettings>[] = [
  {
    key: 'traces',
    variable: 'SLUICE_TRACES',
    help: 'sends spans of requests to an OpenTelemetry collector, by OTLP (http/protobuf); OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER and OTEL_SERVICE_NAME apply',
    allowed: 'on or off',
    default: 'off',
    parse: parseSwitch,
  },
]
