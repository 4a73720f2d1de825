import { scoreOf } from '../exchange/decisions.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { BodySource } from '../message/body-source.ts'
import { clientAddress, type TlsLink } from '../message/client-address.ts'
import { ClientRequest } from '../message/client-request.ts'
import { firstHeader, type HeaderLines } from '../message/headers.ts'
import { findFault } from '../message/request-faults.ts'
import { uriForOrigin } from '../origin/upstream.ts'
import type { PipelineCore } from '../pipeline/decide.ts'
import { openExchange } from '../pipeline/open-exchange.ts'
import { finish, run } from '../pipeline/pipeline.ts'
import { editsBetween, requestEdits } from './header-edits.ts'
import { KeptResponse } from './kept-response.ts'
import type {
  AnswerVerdict,
  PageVerdict,
  ProxiedExchange,
  ProxiedRequest,
  ProxiedTls,
  ProxiedVerdict,
  VerdictFacts,
} from './proxied-request.ts'
import { type Reported, throughProxy } from './proxy-origin.ts'

/** Evaluates requests that other proxies serve. */
export class Inspections {
  readonly #core: PipelineCore
  /** Requests that passed and whose response is not reported yet, the oldest first. */
  readonly #waiting: Waiting = new Map()

  constructor(core: PipelineCore) {
    this.#core = core
  }

  begin(request: ProxiedRequest): ProxiedExchange {
    return new Proxied(this.#core, request, this.#waiting)
  }

  /** A request that passed and whose response is not reported yet. */
  waiting(rayId: string): ProxiedExchange | undefined {
    return this.#waiting.get(rayId)?.proxied
  }

  /** No more responses will be reported. */
  close(): void {
    for (const { proxied } of this.#waiting.values()) proxied?.abandon(false)
  }
}

/** By ray ID. Entries are emptied when they are deleted: a map alone would keep requests in memory, like the set of decision 085. */
type Waiting = Map<string, { proxied: Proxied | undefined }>

class Proxied implements ProxiedExchange {
  readonly rayId: string
  readonly verdict: Promise<ProxiedVerdict>
  readonly #core: PipelineCore
  readonly #exchange: Exchange
  readonly #response = new KeptResponse()
  readonly #waiting: Waiting
  #decide!: (verdict: ProxiedVerdict) => void
  #report: ((reported: Reported) => void) | undefined
  #answerVerdict: ((verdict: AnswerVerdict) => void) | undefined
  #answerHeaders: HeaderLines = []

  constructor(core: PipelineCore, proxied: ProxiedRequest, waiting: Waiting) {
    this.#core = core
    this.#waiting = waiting
    const request = clientRequestOf(core, proxied)
    const { body: input } = proxied
    const body =
      input === undefined ? undefined : new BodySource(input, core.bodies, request.clientIp, undefined)
    this.#exchange = openExchange(core, request, this.#response, body)
    this.#exchange.decisions.bodyUnseen = proxied.bodyUnseen
    this.rayId = this.#exchange.facts.rayId
    this.verdict = new Promise(resolve => {
      this.#decide = resolve
    })
    const hooks = {
      passed: () => (proxied.reportsAnswer ? this.#passed() : undefined),
      received: (headers: HeaderLines) => {
        this.#answerHeaders = headers
      },
    }
    const running = run(core, this.#exchange, this.#response, {
      fault: findFault(request, core.limits.headersMax),
      origin: (_core, exchange, _response, inspector) =>
        throughProxy(core, exchange, this.#response, inspector, hooks),
    })
    this.#response.events.once('close', () => {
      this.#ended()
      void running.then(() => finish(core, this.#exchange))
    })
  }

  answered(status: number, headers: HeaderLines): Promise<AnswerVerdict> {
    const report = this.#report
    if (report === undefined) return Promise.resolve(this.#answerVerdictNow())
    return new Promise(resolve => {
      this.#answerVerdict = resolve
      report({ status, headers })
    })
  }

  abandon(clientLeft: boolean): void {
    if (this.#report !== undefined) this.#report(clientLeft ? 'left' : 'unseen')
    else if (clientLeft) this.#response.destroy()
  }

  /** The proxy forwards the request now. Resolves with its report. */
  #passed(): Promise<Reported> {
    const { proxiedWaitingMax, proxiedAnswerMs } = this.#core.limits
    const [oldest] = this.#waiting.values()
    if (this.#waiting.size >= proxiedWaitingMax) oldest?.proxied?.abandon(false)
    const entry: { proxied: Proxied | undefined } = { proxied: this }
    this.#waiting.set(this.rayId, entry)
    this.#core.inFlight.leave(this.#exchange)
    const reported = new Promise<Reported>(resolve => {
      const timer = setTimeout(() => this.abandon(false), proxiedAnswerMs)
      this.#report = found => {
        clearTimeout(timer)
        this.#report = undefined
        this.#waiting.delete(this.rayId)
        entry.proxied = undefined
        resolve(found)
      }
    })
    this.#decide(this.#passVerdict())
    return reported
  }

  /** The response is complete, or nothing more will be known. */
  #ended(): void {
    this.#decide(this.#response.headSent || this.#response.destroyed ? this.#refusal() : this.#passVerdict())
    this.#answerVerdict?.(this.#answerVerdictNow())
  }

  #passVerdict(): ProxiedVerdict {
    const uri = uriForOrigin(this.#exchange)
    const { request } = this.#exchange.facts
    return {
      ...this.#facts(),
      kind: 'pass',
      headers: requestEdits(this.#exchange),
      uri: uri === request.uri ? undefined : uri,
    }
  }

  #answerVerdictNow(): AnswerVerdict {
    // The zone's rules may have replaced the response with a page.
    if (!this.#response.isOrigins) return this.#refusal()
    const headers = editsBetween(this.#answerHeaders, this.#response.headers)
    return { ...this.#facts(), kind: 'pass', headers }
  }

  #refusal(): VerdictFacts & (PageVerdict | { readonly kind: 'drop' }) {
    const { status, headers, body, destroyed } = this.#response
    if (destroyed) return { ...this.#facts(), kind: 'drop' }
    return { ...this.#facts(), kind: 'page', status, headers, body }
  }

  #facts(): VerdictFacts {
    const { decisions } = this.#exchange
    const shown = decisions.shownInspection()
    return {
      rayId: this.rayId,
      action: decisions.terminal?.action ?? '',
      ruleId: decisions.terminal?.ruleId ?? '',
      score: shown === undefined || shown.broken ? 0 : scoreOf(shown),
    }
  }
}

function clientRequestOf({ deps }: PipelineCore, proxied: ProxiedRequest): ClientRequest {
  const { head, peerIp, peerPort, serverIp, serverPort, scheme } = proxied
  const tls = proxied.tls === undefined ? undefined : tlsLink(proxied.tls)
  const found = clientAddress({ peerIp, tls, viaUnixSocket: false }, head.headers, deps.trustedProxies)
  const told = found.peerTrusted && firstHeader(head.headers, 'x-forwarded-proto') !== undefined
  const address = told ? found : { ...found, scheme }
  return new ClientRequest(head, { address, tls, clientPort: peerPort, serverIp, serverPort })
}

/** The proxy has checked the certificate's names, and does not show the ClientHello. */
function tlsLink(tls: ProxiedTls): TlsLink {
  return {
    ...tls,
    clientRandom: '',
    helloBytes: 0,
    ja4: undefined,
    serverName: undefined,
    covers: () => true,
  }
}
