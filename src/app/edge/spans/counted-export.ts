import { ExportResultCode } from '@opentelemetry/core'
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace'
import { spanLimits } from '../../limits.ts'

export interface SpanStats {
  exported: number
  /** The collector was away, refused them or was too slow. */
  dropped: number
  /** Ended, and not yet either of these. */
  waiting: number
}

/**
 * Counts exported and lost spans. @param onChange when the collector refuses spans, with the reason, and when it
 * takes them again
 */
export function countedExporter(
  exporter: SpanExporter,
  stats: SpanStats,
  onChange: (failure: string | undefined) => void,
): SpanExporter {
  let isAway = false
  return {
    export(spans, done) {
      exporter.export(spans, result => {
        const succeeded = result.code === ExportResultCode.SUCCESS
        stats.waiting -= spans.length
        stats[succeeded ? 'exported' : 'dropped'] += spans.length
        if (succeeded === isAway) {
          isAway = !succeeded
          onChange(succeeded ? undefined : reasonOf(result.error))
        }
        // Otherwise the processor reports each batch once more.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Drops spans while too many wait for the collector. */
export function boundedProcessor(processor: SpanProcessor, stats: SpanStats): SpanProcessor {
  return {
    onStart() {},
    onEnd(span: ReadableSpan) {
      if (stats.waiting >= spanLimits.waitingMax) {
        stats.dropped++
        return
      }
      stats.waiting++
      processor.onEnd(span)
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  }
}

/** The error of a host with several addresses has no message, only a code. */
function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  return error === undefined ? 'no reason given' : error.message || String(error.code ?? error.name)
}
