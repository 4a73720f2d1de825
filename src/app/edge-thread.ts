import { extname } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Images } from '../crs/index.ts'
import { traceLimits } from '../kit/limits.ts'
import type { TraceAnswer, TraceRequest } from '../model/request-trace.ts'
import { serveImages } from './image-port.ts'
import type { EdgeInput } from './run-edge.ts'

/** What the thread is given at its start. */
export interface EdgeThreadData {
  readonly input: EdgeInput
  /** Where it asks for images of programs. */
  readonly imagePort: MessagePort
}

export type ToEdgeThread =
  /** Once, after `prepared`. @param shared several threads listen on the port */
  | { readonly kind: 'listen'; readonly port: number; readonly shared: boolean }
  | { readonly kind: 'metrics' }
  /** @param number comes back with the answer: several traces run at the same time */
  | { readonly kind: 'trace'; readonly number: number; readonly request: TraceRequest }
  | { readonly kind: 'drain' }

export type FromEdgeThread =
  /** Plans are there and programs are warm. */
  | { readonly kind: 'prepared' }
  | { readonly kind: 'ready'; readonly port: number }
  /** What prom-client's registry has, as JSON. */
  | { readonly kind: 'metrics'; readonly metrics: readonly object[] }
  /** @param answer the error's text when the trace failed */
  | {
      readonly kind: 'traced'
      readonly number: number
      readonly answer: TraceAnswer | { readonly failure: string }
    }

/**
 * What requests leave behind, before it is collected. Node's own limit of 96 MB makes requests about 5 % cheaper, and
 * each worker 85 MB larger under load.
 */
const youngGenerationMb = 24
/** A thread that was asked to drain has this long; then it is ended by force. */
const drainMs = 15_000
/** A thread has this long to tell its metrics. */
const metricsMs = 2000

/** One edge worker thread, from the side of the primary thread. */
export class EdgeThread {
  readonly #worker: Worker
  readonly #questions = new Set<Question>()
  #lastTrace = 0
  #traces = 0
  #over: Error | undefined
  /** Rejects with the error that ended it, if it ends before. */
  readonly prepared: Promise<void>
  /** Resolves when it has ended, with the error that ended it if there was one. */
  readonly ended: Promise<Error | undefined>

  /**
   * @param input its settings hold secrets, so they go neither by argument nor by environment
   * @param images of programs, which it asks for
   */
  constructor(input: EdgeInput, images: Images) {
    // Beside this file and of its kind: the published package is built.
    const entry = new URL(`./edge-worker${extname(import.meta.url)}`, import.meta.url)
    const { port1, port2 } = new MessageChannel()
    serveImages(port1, images)
    // Neither end keeps anything running.
    port1.unref()
    this.#worker = new Worker(entry, {
      workerData: { input, imagePort: port2 } satisfies EdgeThreadData,
      transferList: [port2],
      name: input.partition,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    this.#worker.on('message', (message: FromEdgeThread) => {
      for (const question of this.#questions)
        if (question.kind === message.kind && question.isAnswer(message)) this.#settle(question, message)
    })
    this.ended = new Promise(resolve => {
      let cause: Error | undefined
      this.#worker.once('error', error => {
        cause = error as Error
      })
      this.#worker.once('exit', () => {
        this.#over = cause ?? new Error('the edge worker has ended')
        for (const question of this.#questions) this.#settle(question, this.#over)
        resolve(cause)
      })
    })
    this.prepared = this.#answer('prepared').then(() => {})
    // Who starts it waits for it; until then a failure must not end the process.
    this.prepared.catch(() => {})
  }

  /** @param port 0 lets the system choose. @returns the port */
  async listen(port: number, shared: boolean): Promise<number> {
    await this.prepared
    const ready = this.#answer('ready')
    this.#send({ kind: 'listen', port, shared })
    return (await ready).port
  }

  /** How many requests it is tracing. */
  get traces(): number {
    return this.#traces
  }

  /** @throws when the thread ends before, does not answer in time, or fails at it */
  async trace(request: TraceRequest): Promise<TraceAnswer> {
    const number = ++this.#lastTrace
    const answer = this.#answer('traced', traceLimits.answerMs, message => message.number === number)
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
    const answer = this.#answer('metrics', metricsMs)
    this.#send({ kind: 'metrics' })
    return (await answer).metrics
  }

  /** Lets requests in flight end. */
  async drain(): Promise<void> {
    this.#send({ kind: 'drain' })
    const force = setTimeout(() => void this.#worker.terminate(), drainMs)
    await this.ended
    clearTimeout(force)
  }

  #send(message: ToEdgeThread): void {
    this.#worker.postMessage(message)
  }

  /** The next message of a kind, and of those the first that is the answer. Rejects when the thread ends before it. */
  #answer<Kind extends FromEdgeThread['kind']>(
    kind: Kind,
    withinMs?: number,
    isAnswer: (message: Answer<Kind>) => boolean = () => true,
  ): Promise<Answer<Kind>> {
    return new Promise((resolve, reject) => {
      const question: Question = {
        kind,
        isAnswer: isAnswer as Question['isAnswer'],
        resolve: resolve as Question['resolve'],
        reject,
        timer:
          withinMs === undefined
            ? undefined
            : setTimeout(() => this.#settle(question, new Error(`no answer to '${kind}' in time`)), withinMs),
      }
      if (this.#over === undefined) this.#questions.add(question)
      else this.#settle(question, this.#over)
    })
  }

  #settle(question: Question, answer: FromEdgeThread | Error): void {
    this.#questions.delete(question)
    clearTimeout(question.timer)
    if (answer instanceof Error) question.reject(answer)
    else question.resolve(answer)
  }
}

type Answer<Kind> = Extract<FromEdgeThread, { readonly kind: Kind }>

/** What is waited for. */
interface Question {
  readonly kind: FromEdgeThread['kind']
  readonly isAnswer: (message: FromEdgeThread) => boolean
  readonly resolve: (answer: FromEdgeThread) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout | undefined
}
