import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from 'undici'
import type { RequestFacts } from '../exchange/facts.ts'
import { ClientBodyError } from '../message/body-source.ts'
import type { ClientRequest } from '../message/client-request.ts'
import { ServerChoice } from '../servers/choice.ts'
import type { OriginCore } from './origins.ts'
import { InvalidStatusError } from './relay-errors.ts'
import { Visit } from './visit.ts'

const limits = { originFailuresMax: 1, originEjectionMs: 1000, originsKeptMax: 10, originTriesMax: 2 }
const request = { method: 'GET' } as ClientRequest
const get = { request } as RequestFacts
const coded = (code: string) => Object.assign(new Error(code), { code })

test('only failures of a server count against it', () => {
  for (const [error, isOfServer] of [
    [coded('ECONNRESET'), true],
    [new errors.HeadersTimeoutError(), true],
    [new errors.InvalidArgumentError('invalid header'), false],
    [new errors.NotSupportedError('expect'), false],
    [new errors.RequestContentLengthMismatchError(), false],
    [coded('ERR_STREAM_EXCESSIVE'), false],
    [new ClientBodyError('aborted'), false],
    [new InvalidStatusError(999), false],
  ] as const) {
    const servers = new ServerChoice(limits, () => 0)
    const origins = { servers: ['a', 'b'].map(url => ({ url, weight: 1 })) }
    const core = { servers, limits } as unknown as OriginCore
    const visit = new Visit(core, request, origins, {})
    visit.mayGoOn({ kind: 'failed', error, headSent: false }, origins.servers[0]!, get)
    const slots = { hasFreeSlot: () => true, inUse: () => 0 }
    const next = [1, 2].map(() => servers.pick(origins, undefined, slots).url).join('')
    assert.equal(next, isOfServer ? 'bb' : 'ab', error.message)
  }
})
