import { type Case, codes, defaultFields, Exactly, type Request } from '../case.ts'

/** Sections 1.7 and 7: Instant Logs, without the WebSocket. */

const path = '/<scope>/logpush/edge/jobs'
const older = '/<scope>/logpush/edge'
const session = (body: object = {}, at = path): Request => ['POST', at, body]
const filter = '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":400}}'

const socket = /^wss?:\/\/[^/]+\/instant-logs\/ws\/sessions\/[0-9a-f]{32}$/

const made: readonly Case[] = [
  {
    name: '7 a session',
    request: session({ fields: 'ClientIP,RayID', sample: 100, filter, kind: 'instant-logs' }),
    result: {
      destination_conf: socket,
      session_id: /^[0-9a-f]{32}$/,
      fields: 'ClientIP,RayID',
      filter,
      sample: 100,
      kind: 'instant-logs',
    },
  },
  {
    name: '7 a session of which nothing is said',
    request: session(),
    result: { fields: defaultFields.join(','), filter: '', sample: 1 },
  },
  ...[1, 10, 100].map(
    (sample): Case => ({ name: `7 one in ${sample}`, request: session({ sample }), result: { sample } }),
  ),
  { name: '7 an empty filter', request: session({ filter: '' }), result: { filter: '' } },
  { name: '1.7 the older path', request: session({ fields: 'RayID' }, older), result: { fields: 'RayID' } },
  ...[path, older].flatMap((at): readonly Case[] => [
    { name: `7 no sessions at ${at}`, request: ['GET', at], result: new Exactly([]) },
    {
      name: `7 the session at ${at}`,
      given: [session({ fields: 'RayID', sample: 10 })],
      request: ['GET', at],
      result: [
        { session_id: '<session>', fields: 'RayID', sample: 10, filter: '', destination_conf: socket },
      ],
    },
  ]),
  {
    name: '7 a second session',
    given: [session()],
    request: session(),
    status: 403,
    error: [codes.notAllowed, /^creating a new .* is not allowed: /],
  },
]

const refused: readonly Case[] = (
  [
    [{ sample: 0 }, codes.field, '/sample'],
    [{ sample: 1.5 }, codes.field, '/sample'],
    [{ sample: 'x' }, undefined, '/sample'],
    [{ fields: 'NoSuchField' }, codes.field, '/fields'],
    [{ fields: ['RayID'] }, undefined, '/fields'],
    [{ filter: '{' }, codes.filter, '/filter'],
    [
      { filter: '{"where":{"key":"EdgeResponseStatus","operator":"in","value":"200,201"}}' },
      codes.filter,
      '/filter',
    ],
    [
      { filter: '{"where":{"key":"ClientRequestMethod","operator":"neq","value":"GET"}}' },
      codes.filter,
      '/filter',
    ],
    [{ filter: { where: {} } }, undefined, '/filter'],
    [{ kind: 'edge' }, undefined, '/kind'],
    [{ colour: 1 }, undefined, '/colour'],
  ] as const
).map(([body, code, pointer]) => ({
  name: `7 refused: ${JSON.stringify(body)}`,
  request: session(body),
  status: 400,
  error: [code, /./, pointer],
}))

export const instantCases: readonly Case[] = [
  ...[...made, ...refused].map((row): Case => ({ ...row, level: 'zone' })),
  ...[path, older].map(
    (at): Case => ({
      name: `1.7 not for accounts: ${at}`,
      level: 'account',
      request: session({}, at),
      status: 404,
      error: [7003, /./],
    }),
  ),
]
