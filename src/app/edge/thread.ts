import { extname } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { CertificateReport } from '../../model/certificate.ts'
import type { TraceAnswer, TraceRequest } from '../../model/request-trace.ts'
import { threadLimits, workerLimits } from '../limits.ts'
import type { WorkerAddress } from './listeners.ts'
import { type Primary, servePrimary } from './primary-port.ts'
import type { EdgeInput } from './run-edge.ts'

/** The thread's input at its start. */
export interface EdgeThreadData {
  readonly input: EdgeInput
  /** Where it asks the primary thread. */
  readonly port: MessagePort
}

export type ToEdgeThread =
  /** Once, after `prepared`. @param addresses for the addresses of `listenersOf` */
  | { readonly kind: 'listen'; readonly addresses: readonly WorkerAddress[] }
  /** @param keys all origins that health checks found down */
  | { readonly kind: 'down'; readonly keys: readonly string[] }
  | { readonly kind: 'metrics' }
  | { readonly kind: 'refuses' }
  /** @param zoneName repeated in the answer, because several calls may be pending */
  | { readonly kind: 'certificates'; readonly zoneName: string | undefined }
  /** @param number repeated in the answer, because several traces run at the same time */
  | { readonly kind: 'trace'; readonly number: number; readonly request: TraceRequest }
  /** @param retires the connections may take as long as in `Edge.retire` */
  | { readonly kind: 'drain'; readonly retires: boolean }

export type FromEdgeThread =
  /** Plans are built and programs are warm. */
  | { readonly kind: 'prepared' }
  | { readonly kind: 'ready'; readonly ports: readonly number[] }
  /** The metrics of prom-client's registry, as JSON. */
  | { readonly kind: 'metrics'; readonly metrics: readonly object[] }
  | { readonly kind: 'refusing'; readonly reason: string | undefined }
  | {
      readonly kind: 'served'
      readonly zoneName: string | undefined
      readonly certificates: readonly CertificateReport[]
    }
  /** @param answer the error's text if the trace failed */
  | {
      readonly kind: 'traced'
      readonly number: number
      readonly answer: TraceAnswer | { readonly failure: string }
    }

/**
 * Size of the young generation, for the garbage of requests. Node's default of 96 MB makes requests about 5 % cheaper,
 * and each worker 85 MB larger under load.
 */
const youngGenerationMb = 24

/** The primary thread's handle of one edge worker thread. */
export class EdgeThread {
  readonly #worker: Worker
  readonly #pending = new Set<PendingAnswer>()
  #lastTrace = 0
  #traces = 0
  #over: Error | undefined
  /** Rejects with the error that ended it, if it ends before. */
  readonly prepared: Promise<void>
  /** Resolves when it has ended, with the error that ended it if there was one. */
  readonly ended: Promise<Error | undefined>

  /**
   * @param input its settings hold secrets, so they go neither by argument nor by environment
   * @param primary answers what it asks
   */
  constructor(input: EdgeInput, primary: Primary) {
    // In this file's folder and with its extension, because the published package is built.
    const entry = new URL(`./worker${extname(import.meta.url)}`, import.meta.url)
    const { port1, port2 } = new MessageChannel()
    servePrimary(port1, primary)
    // Neither end of the port keeps its process alive.
    port1.unref()
    this.#worker = new Worker(entry, {
      workerData: { input, port: port2 } satisfies EdgeThreadData,
      transferList: [port2],
      name: input.partition,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    this.#worker.on('message', (message: FromEdgeThread) => {
      for (const pending of this.#pending)
        if (pending.kind === message.kind && pending.isAnswer(message)) this.#settle(pending, message)
    })
    this.ended = new Promise(resolve => {
      let cause: Error | undefined
      this.#worker.once('error', error => {
        cause = error as Error
      })
      this.#worker.once('exit', () => {
        this.#over = cause ?? new Error('the edge worker has ended')
        for (const pending of this.#pending) this.#settle(pending, this.#over)
        resolve(cause)
      })
    })
    this.prepared = this.#answer('prepared').then(() => {})
    // The starter awaits it later; until then a rejection must not end the process.
    this.prepared.catch(() => {})
  }

  /** As `PreparedEdge.listen`. */
  async listen(addresses: readonly WorkerAddress[]): Promise<readonly number[]> {
    await this.prepared
    const ready = this.#answer('ready')
    this.#send({ kind: 'listen', addresses })
    return (await ready).ports
  }

  /** As `PreparedEdge.setDown`; also before it is prepared. */
  setDown(keys: readonly string[]): void {
    this.#send({ kind: 'down', keys })
  }

  /** Number of traces in progress. */
  get traces(): number {
    return this.#traces
  }

  /** @throws if the thread ends before, does not answer in time, or fails */
  async trace(request: TraceRequest): Promise<TraceAnswer> {
    const number = ++this.#lastTrace
    const answer = this.#answer('traced', workerLimits.answerMs, message => message.number === number)
    this.#send({ kind: 'trace', number, request })
    this.#traces++
    try {
      const { answer: traced } = await answer
      if ('failure' in traced) throw new Error(traced.failure)
      return traced
    } finally {
      this.#traces--
    }
  }

  async metrics(): Promise<readonly object[]> {
    const answer = this.#answer('metrics', threadLimits.metricsMs)
    this.#send({ kind: 'metrics' })
    return (await answer).metrics
  }

  /** As `Edge.refuses`. */
  async refuses(): Promise<string | undefined> {
    const answer = this.#answer('refusing', threadLimits.metricsMs)
    this.#send({ kind: 'refuses' })
    return (await answer).reason
  }

  /** As `CertificateTable.served`. */
  async certificates(zoneName: string | undefined): Promise<readonly CertificateReport[]> {
    const answer = this.#answer('served', threadLimits.metricsMs, message => message.zoneName === zoneName)
    this.#send({ kind: 'certificates', zoneName })
    return (await answer).certificates
  }

  /** Lets requests in flight end. @param retires as in `ToEdgeThread` */
  async drain(retires: boolean): Promise<void> {
    this.#send({ kind: 'drain', retires })
    // A worker that retires has its own, much longer time.
    const force = retires ? undefined : setTimeout(() => void this.#worker.terminate(), threadLimits.drainMs)
    await this.ended
    clearTimeout(force)
  }

  #send(message: ToEdgeThread): void {
    this.#worker.postMessage(message)
  }

  /** The first message of a kind that is the answer. Rejects if the thread ends before. */
  #answer<Kind extends FromEdgeThread['kind']>(
    kind: Kind,
    withinMs?: number,
    isAnswer: (message: Answer<Kind>) => boolean = () => true,
  ): Promise<Answer<Kind>> {
    return new Promise((resolve, reject) => {
      const pending: PendingAnswer = {
        kind,
        isAnswer: isAnswer as PendingAnswer['isAnswer'],
        resolve: resolve as PendingAnswer['resolve'],
        reject,
        timer:
          withinMs === undefined
            ? undefined
            : setTimeout(() => this.#settle(pending, new Error(`no answer to '${kind}' in time`)), withinMs),
      }
      if (this.#over === undefined) this.#pending.add(pending)
      else this.#settle(pending, this.#over)
    })
  }

  #settle(pending: PendingAnswer, answer: FromEdgeThread | Error): void {
    this.#pending.delete(pending)
    clearTimeout(pending.timer)
    if (answer instanceof Error) pending.reject(answer)
    else pending.resolve(answer)
  }
}

type Answer<Kind> = Extract<FromEdgeThread, { readonly kind: Kind }>

/** An expected message. */
interface PendingAnswer {
  readonly kind: FromEdgeThread['kind']
  readonly isAnswer: (message: FromEdgeThread) => boolean
  readonly resolve: (answer: FromEdgeThread) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
}
