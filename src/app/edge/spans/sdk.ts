import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanSource } from '../../../edge/index.ts'
import { systemClock } from '../../../kit/clock.ts'
import { spanLimits } from '../../limits.ts'
import { boundedProcessor, countedExporter, type SpanStats } from './counted-export.ts'
import { takeDiagnostics } from './diagnostics.ts'
import { readSampling } from './environment.ts'
import { EdgeSampler } from './sampler.ts'
import { SdkSpans } from './sdk-spans.ts'

export interface OpenSpans {
  readonly source: SpanSource
  /** Live. */
  readonly stats: Readonly<SpanStats>
  /** Sends the last spans, unless the collector does not take them in time. Never rejects. */
  close(): Promise<void>
}

/** Learns how the export goes. */
export interface SpanEvents {
  /** The collector does not take spans, with the reason; undefined: it takes them again. */
  readonly onChange: (failure: string | undefined) => void
  /** OpenTelemetry's own diagnostics, such as spans of a batch that the collector has refused. */
  readonly onProblem: (text: string) => void
}

/**
 * Makes spans with OpenTelemetry's SDK, and sends them by OTLP in the background.
 * @param instance name of the edge among those of the installation
 */
export function openSdkSpans(instance: string, { onChange, onProblem }: SpanEvents): OpenSpans {
  const stats: SpanStats = { exported: 0, dropped: 0, waiting: 0 }
  // Before the exporter, which reports variables that it cannot use.
  const diagnostics = takeDiagnostics(onProblem)
  // The exporter reads its address, headers, certificates and time-out from the environment.
  const exporter = countedExporter(new OTLPTraceExporter(), stats, failure => {
    diagnostics.again()
    onChange(failure)
  })
  const batches = new BatchSpanProcessor({
    exporter,
    maxQueueSize: spanLimits.waitingMax,
    scheduledDelayMillis: spanLimits.batchMs,
  })
  const own = { 'service.name': 'sluice', 'service.instance.id': instance }
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new EdgeSampler(readSampling(process.env), systemClock),
    spanLimits: { attributeValueLengthLimit: spanLimits.textCharactersMax },
    spanProcessors: [boundedProcessor(batches, stats)],
  })
  return {
    source: new SdkSpans(provider.getTracer('sluice')),
    stats,
    async close() {
      const ended = provider.shutdown().catch(() => {})
      await Promise.race([ended, new Promise(resolve => setTimeout(resolve, spanLimits.closeMs).unref())])
      diagnostics.end()
    },
  }
}
