import type { Socket } from 'node:net'
import type { ReadyDeps } from '../deps.ts'
import { type Frame, FrameCutter, frameBytes, frameType } from './frames.ts'
import { disconnectPayload, type Hello, readHello } from './hello.ts'
import {
  readMessages,
  reportOf,
  requestOf,
  requestVariables,
  responseVariables,
  setVariables,
} from './messages.ts'
import type { Reports } from './reports.ts'
import { SpopError, status } from './wire.ts'

/** One connection of HAProxy, with several messages in progress (`pipelining`). */
export class SpopConnection {
  readonly #deps: ReadyDeps
  readonly #socket: Socket
  readonly #reports: Reports
  readonly #cutter: FrameCutter
  #hello: Hello | undefined
  /** The fragments of a message so far. */
  #begun: { readonly frame: Frame; readonly parts: Buffer[]; bytes: number } | undefined
  #inProgress = 0
  #ending = false
  readonly #helloTimer: NodeJS.Timeout

  constructor(socket: Socket, deps: ReadyDeps, reports: Reports) {
    this.#socket = socket
    this.#deps = deps
    this.#reports = reports
    this.#cutter = new FrameCutter(deps.limits.spoeFrameBytesMax)
    socket.setNoDelay()
    socket.on('error', () => socket.destroy())
    socket.on('data', (part: Buffer) => {
      this.#cutter.add(part)
      this.#readFrames()
    })
    this.#helloTimer = setTimeout(() => socket.destroy(), deps.limits.spoeHelloMs)
    socket.once('close', () => clearTimeout(this.#helloTimer))
  }

  /** Ends the connection once its messages have answers. */
  drain(): void {
    this.#ending = true
    if (this.#inProgress === 0) this.#disconnect(status.normal, 'the agent stops')
  }

  #readFrames(): void {
    try {
      while (!this.#socket.destroyed && this.#socket.writable) {
        if (this.#inProgress >= this.#deps.limits.spoeMessagesMax) {
          this.#socket.pause()
          return
        }
        const frame = this.#cutter.next()
        if (frame === undefined) return
        this.#take(frame)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #take(frame: Frame): void {
    if (frame.type === frameType.proxyHello) this.#greet(frame)
    else if (frame.type === frameType.proxyDisconnect) this.#disconnect(status.normal, '')
    else if (this.#hello === undefined) throw new SpopError(status.invalid, 'a frame before HELLO')
    else if (frame.type === frameType.notify || frame.type === frameType.unset) this.#takeFragment(frame)
    else throw new SpopError(status.invalid, 'a frame of an unknown type')
  }

  #greet({ payload, streamId, frameId, final }: Frame): void {
    if (this.#hello !== undefined || streamId !== 0 || frameId !== 0 || !final)
      throw new SpopError(status.invalid, 'HELLO is not the first frame')
    clearTimeout(this.#helloTimer)
    this.#hello = readHello(payload, this.#deps.limits.spoeFrameBytesMax)
    this.#write(frameType.agentHello, 0, 0, this.#hello.answer)
    if (this.#hello.isCheck) this.#socket.end()
  }

  /** A message arrives in one frame, or as NOTIFY and further frames with the same ids. */
  #takeFragment(frame: Frame): void {
    const begun = this.#begun
    const continues = frame.type === frameType.unset
    if (continues !== (begun !== undefined))
      throw new SpopError(status.interlaced, 'fragments are interlaced')
    if (begun === undefined) {
      if (frame.final) this.#start(frame, frame.payload)
      else this.#begun = { frame, parts: [frame.payload], bytes: frame.payload.length }
      return
    }
    if (begun.frame.streamId !== frame.streamId || begun.frame.frameId !== frame.frameId)
      throw new SpopError(status.interlaced, 'fragments are interlaced')
    begun.parts.push(frame.payload)
    begun.bytes += frame.payload.length
    if (begun.bytes > this.#deps.limits.spoeMessageBytesMax)
      throw new SpopError(status.tooBig, 'a message is too big')
    if (!frame.final && !frame.aborted) return
    this.#begun = undefined
    if (!frame.aborted) this.#start(begun.frame, Buffer.concat(begun.parts))
  }

  #start(frame: Frame, payload: Buffer): void {
    this.#inProgress++
    this.#answer(frame, payload)
      .catch(error => this.#fail(error))
      .finally(() => {
        this.#inProgress--
        if (this.#ending) this.drain()
        else if (this.#socket.isPaused()) {
          this.#socket.resume()
          this.#readFrames()
        }
      })
  }

  async #answer({ streamId, frameId }: Frame, payload: Buffer): Promise<void> {
    const { frameBytesMax } = this.#hello!
    const actions: Buffer[] = []
    for (const message of readMessages(payload)) {
      if (message.name === 'request') {
        const exchange = this.#deps.inspect(requestOf(message, frameBytesMax))
        actions.push(...fitting(requestVariables(await exchange.verdict), frameBytesMax))
      } else if (message.name === 'response') {
        const verdict = await this.#reports.answered(reportOf(message))
        if (verdict !== undefined) actions.push(...fitting(responseVariables(verdict), frameBytesMax))
      } else throw new SpopError(status.invalid, `no message ${JSON.stringify(message.name)} is known`)
    }
    this.#write(frameType.ack, streamId, frameId, Buffer.concat(actions))
  }

  #write(type: number, streamId: number, frameId: number, payload: Buffer): void {
    if (this.#socket.writable) this.#socket.write(frameBytes(type, streamId, frameId, payload))
  }

  #fail(error: unknown): void {
    const known = error instanceof SpopError
    const code = known ? error.status : status.unknown
    const reason = (error as Error).message
    this.#deps.logger.warn({ status: code, reason }, 'a connection of HAProxy was closed')
    this.#disconnect(code, known ? reason : 'an internal error')
  }

  #disconnect(code: number, message: string): void {
    if (!this.#socket.writable) return
    this.#write(frameType.agentDisconnect, 0, 0, disconnectPayload(code, message))
    this.#socket.end()
  }
}

/** Bytes of a frame beside its payload. */
const frameHeadBytes = 64

/** The actions for the variables. A page that is longer than a frame is left out, so that its status still arrives. */
function fitting(variables: Parameters<typeof setVariables>[0], bytesMax: number): readonly Buffer[] {
  const all = setVariables(variables)
  if (all.length <= bytesMax - frameHeadBytes) return [all]
  return [setVariables({ ...variables, page: undefined, res_page: undefined })]
}
