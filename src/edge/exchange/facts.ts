import type { ZonePlan } from '../../rulesets/plan/plan.ts'
import type { Holder } from '../challenge/signature.ts'
import type { BodyParts, BodySource } from '../message/body-source.ts'
import { countedClient } from '../message/client-address.ts'
import type { ClientRequest } from '../message/client-request.ts'
import type { ClientChannel } from '../message/client-response.ts'
import { contentOf, DecodedBody } from '../message/content-coding.ts'
import { joinedHeader } from '../message/headers.ts'

/** Reserved on every host: browsers post solutions of challenges to it. */
export const challengePath = '/.sluice/challenge'

/** The immutable part of an exchange: the request as it arrived, its plan and its connection. */
export class RequestFacts {
  readonly rayId: string
  readonly request: ClientRequest
  /** Undefined when the host belongs to no zone. */
  readonly plan: ZonePlan | undefined
  readonly startedMs: number
  /** Undefined for requests without a body, for upgrades and for malformed requests. */
  readonly body: BodySource | undefined
  /** A gRPC call of a zone that passes these. Its messages go in both directions at once, and rules do not see them. */
  readonly isGrpc: boolean
  /** The body without its content codings, as rules see it. */
  readonly content: BodyParts | undefined
  /** The client counts as one with a clearance. Traces ask for that. */
  readonly cleared: boolean
  /** As `countedClient` returns it. */
  readonly client: string
  readonly #client: ClientChannel

  constructor(
    rayId: string,
    request: ClientRequest,
    plan: ZonePlan | undefined,
    startedMs: number,
    client: ClientChannel,
    body: BodySource | undefined,
    cleared: boolean,
  ) {
    this.rayId = rayId
    this.request = request
    this.plan = plan
    this.startedMs = startedMs
    this.body = body
    this.client = countedClient(request.connection.address)
    if (body !== undefined) body.owner = this
    this.isGrpc = plan?.settings.grpc === true && isGrpcCall(request)
    this.content = this.isGrpc ? undefined : inspectable(body, request)
    this.cleared = cleared
    this.#client = client
  }

  /** Empty when the host belongs to no zone. */
  get zoneId(): string {
    return this.plan?.zone.id ?? ''
  }

  /** No response can reach the client any more. */
  get hasLeft(): boolean {
    return this.#client.hasLeft
  }

  /** The request posts the solution of a challenge. */
  get isSolution(): boolean {
    return this.request.path === challengePath
  }

  /** Identifies the client in challenges and clearances. The request must belong to a zone. */
  get holder(): Holder {
    const { plan, request } = this
    return {
      zoneId: plan!.zone.id,
      clientIp: request.clientIp,
      userAgent: request.header('user-agent') ?? '',
    }
  }

  /** Bytes of the request line, the header lines and the body as far as it was read. */
  get requestBytes(): number {
    const { method, target, version, headers } = this.request
    let bytes = method.length + target.length + version.length + 6
    for (const [name, value] of headers) bytes += name.length + value.length + 4
    return bytes + (this.body?.bytesReceived ?? 0)
  }

  /** Frees the decoded body. No rules will ask for it again. */
  releaseContent(): void {
    if (this.content instanceof DecodedBody) this.content.release()
  }
}

function inspectable(body: BodySource | undefined, { headers }: ClientRequest): BodyParts | undefined {
  return body?.mayHaveBody === true ? contentOf(body, headers) : body
}

/** gRPC needs HTTP/2. A second content type would let a body pass as gRPC that the origin reads as something else. */
function isGrpcCall({ method, version, headers }: ClientRequest): boolean {
  if (method !== 'POST' || version !== 'HTTP/2') return false
  const type = joinedHeader(headers, 'content-type')
  return type !== undefined && /^application\/grpc(?:\+[\w.-]+)?$/i.test(type)
}
