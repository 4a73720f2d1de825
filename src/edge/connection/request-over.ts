import { clientAddress } from '../message/client-address.ts'
import { ClientRequest, type RequestHead } from '../message/client-request.ts'
import type { PipelineCore } from '../pipeline/decide.ts'
import type { ClientLink } from './client-link.ts'

/** A request as it came over a connection. */
export function requestOver({ deps }: PipelineCore, link: ClientLink, head: RequestHead): ClientRequest {
  const { serverIp, serverPort, tls } = link
  const address = clientAddress(link, head.headers, deps.trustedProxies)
  return new ClientRequest(head, { address, tls, clientPort: link.peerPort, serverIp, serverPort })
}
