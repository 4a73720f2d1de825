import type { ServerOptions } from 'node:http2'
import { createServer } from 'node:net'
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import type { Agent, ReadyDeps } from '../deps.ts'
import { checkedRequest, checkResponse } from './authorize.ts'
import { ProcessedRequest } from './process.ts'
import { Message } from './protobuf.ts'

const codec = {
  requestDeserialize: (bytes: Buffer) => new Message(bytes),
  requestSerialize: () => Buffer.alloc(0),
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
}

/** The gRPC services that Envoy calls: external processing and external authorization. */
export function createGrpcAgent(deps: ReadyDeps): Agent {
  const grpc = new Server({ 'grpc.max_receive_message_length': deps.limits.envoyMessageBytesMax })
  allowResets(grpc)
  grpc.addService(
    {
      process: {
        path: '/envoy.service.ext_proc.v3.ExternalProcessor/Process',
        requestStream: true,
        responseStream: true,
        ...codec,
      },
      check: {
        path: '/envoy.service.auth.v3.Authorization/Check',
        requestStream: false,
        responseStream: false,
        ...codec,
      },
    },
    {
      process: (call: ConstructorParameters<typeof ProcessedRequest>[1]) => new ProcessedRequest(deps, call),
      check: (call: ServerUnaryCall<Message, Buffer>, done: sendUnaryData<Buffer>) =>
        void check(deps, call, done),
    },
  )
  // Connections come from a server of this process, so that threads can share the address.
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure())
  const server = createServer(socket => {
    if (deps.admits(socket.remoteAddress)) injector.injectConnection(socket)
    else socket.destroy()
  })
  return {
    server,
    retire: () => injector.drain(deps.limits.agentRetireMs),
    drain: () => injector.drain(deps.limits.envoyDrainMs),
  }
}

/**
 * Envoy resets the stream of each request that it has served. node counts that as an attack (rapid reset), and after a
 * thousand requests it would close the connection with all requests in progress. Only trusted proxies connect here, and
 * grpc-js has no option for it.
 */
function allowResets(grpc: Server): void {
  const { commonServerOptions } = grpc as unknown as { readonly commonServerOptions: ServerOptions }
  Object.assign(commonServerOptions, { streamResetBurst: 1e9, streamResetRate: 1e9 })
}

async function check(
  deps: ReadyDeps,
  call: ServerUnaryCall<Message, Buffer>,
  done: sendUnaryData<Buffer>,
): Promise<void> {
  try {
    const exchange = deps.inspect(checkedRequest(call.request))
    call.on('cancelled', () => exchange.abandon(true))
    done(null, checkResponse(await exchange.verdict))
  } catch (error) {
    done({ code: status.INVALID_ARGUMENT, details: (error as Error).message })
  }
}
