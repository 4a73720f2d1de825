import { type Case, defaultFields, Exactly, type Request } from '../case.ts'

/** Section 8. The zone has received the records `pulled` long ago, by the clock of the API. */

const path = '/<scope>/logs'
const flag = (on: unknown): Request => ['POST', `${path}/control/retention/flag`, { flag: on }]

/** `<from>` and `<to>` are Unix seconds around the time when the records were received. */
const received = (query: string, range = 'start=<from>&end=<to>'): Request => [
  'GET',
  `${path}/received?${[range, query].filter(Boolean).join('&')}`,
]

export const pulled = [
  {
    RayID: '00000000000000a1',
    ClientRequestURI: '/?x=${jndi:x}',
    EdgeStartTimestamp: '1700000000123456789',
    EdgeResponseStatus: 200,
  },
  { RayID: '00000000000000a2', ClientRequestURI: '/é', EdgeResponseStatus: 404 },
  { RayID: '00000000000000a2', ClientRequestURI: '/2' },
]

const rays = '{"RayID":"00000000000000a1"}\n{"RayID":"00000000000000a2"}\n{"RayID":"00000000000000a2"}\n'
const lines = (name: string, request: Request, text: string | RegExp): Case => ({
  name,
  given: [flag(true)],
  request,
  bare: { text },
})

const ranges: readonly Case[] = [
  lines('8.1 a range in seconds', received('fields=RayID'), rays),
  lines(
    '8.1 a range in nanoseconds',
    received('fields=RayID', 'start=<from>000000000&end=<to>000000000'),
    rays,
  ),
  lines('8.1 a range in RFC 3339', received('fields=RayID', 'start=<fromTime>&end=<toTime>'), rays),
  lines('8.1 a range with an offset', received('fields=RayID', 'start=<fromOffset>&end=<toTime>'), rays),
  lines('8.1 the end alone', received('fields=RayID', 'end=<to>'), rays),
  lines('8.1 a range without records is empty', received('fields=RayID', 'start=<before>&end=<from>'), ''),
]

const time = (name: string, range: string): Case => ({
  name: `8.1 refused: ${name}`,
  given: [flag(true)],
  request: received('fields=RayID', range),
  status: 400,
  error: [undefined, /./],
})
const badRanges: readonly Case[] = [
  time('no end', 'start=<from>'),
  time('an end that is the start', 'start=<from>&end=<from>'),
  time('an end before the start', 'start=<to>&end=<from>'),
  time('more than an hour', 'start=<hourBefore>&end=<to>'),
  time('an end of now', 'start=<lately>&end=<now>'),
  time('more than 7 days ago', 'start=<longAgo>&end=<longAgoEnd>'),
  time('words', 'start=yesterday&end=<to>'),
  time('milliseconds', 'start=<from>000&end=<to>000'),
]

const shapes: readonly Case[] = [
  lines('8.1 count', received('fields=RayID&count=2'), `${rays.split('\n').slice(0, 2).join('\n')}\n`),
  lines('8.1 a count of more than there are', received('fields=RayID&count=1000000'), rays),
  lines('8.1 sample of all', received('fields=RayID&sample=1'), rays),
  lines('8.1 sample of next to none', received('fields=RayID&sample=0.000000001'), ''),
  lines(
    '8.1 the default fields',
    received('count=1'),
    new RegExp(`^\\{${defaultFields.map(name => `"${name}":[^,]+`).join(',')}\\}\\n$`),
  ),
  lines(
    '8.1 timestamps are nanoseconds',
    received('fields=EdgeStartTimestamp&count=1'),
    '{"EdgeStartTimestamp":1700000000123456789}\n',
  ),
  lines(
    '8.1 timestamps unix',
    received('fields=EdgeStartTimestamp&count=1&timestamps=unix'),
    '{"EdgeStartTimestamp":1700000000}\n',
  ),
  lines(
    '8.1 timestamps rfc3339',
    received('fields=EdgeStartTimestamp&count=1&timestamps=rfc3339'),
    '{"EdgeStartTimestamp":"2023-11-14T22:13:20Z"}\n',
  ),
  lines(
    '8.1 without the flag of CVE-2021-44228',
    received('fields=ClientRequestURI&count=1'),
    '{"ClientRequestURI":"/?x=${jndi:x}"}\n',
  ),
  lines(
    '8.1 with the flag of CVE-2021-44228',
    received('fields=ClientRequestURI&count=1&CVE-2021-44228=true'),
    '{"ClientRequestURI":"/?x=x{jndi:x}"}\n',
  ),
  {
    ...lines('1.2 a client that accepts JSON only', received('fields=RayID'), rays),
    request: [
      ...received('fields=RayID').slice(0, 2),
      undefined,
      { accept: 'application/json' },
    ] as unknown as Request,
  },
]

const badShapes: readonly Case[] = [
  'fields=NoSuchField',
  'fields=RayID, ClientIP',
  'count=0',
  'count=-1',
  'count=x',
  'sample=0',
  'sample=1.5',
  'timestamps=rfc3339ms',
  'CVE-2021-44228=yes',
  'colour=red',
].map(query => ({
  name: `8.1 refused: ${query}`,
  given: [flag(true)],
  request: received(query),
  status: 400,
  error: [undefined, /./],
}))

const ray = (id: string, query = 'fields=RayID,EdgeResponseStatus'): Request => [
  'GET',
  `${path}/rayids/${id}?${query}`,
]
const byRay: readonly Case[] = [
  lines('8.2 one record', ray('00000000000000a1'), '{"RayID":"00000000000000a1","EdgeResponseStatus":200}\n'),
  lines(
    '8.2 two records',
    ray('00000000000000a2', 'fields=RayID'),
    '{"RayID":"00000000000000a2"}\n'.repeat(2),
  ),
  lines('8.2 no record', ray('00000000000000ff'), ''),
  lines(
    '8.2 timestamps',
    ray('00000000000000a1', 'fields=EdgeStartTimestamp&timestamps=unix'),
    '{"EdgeStartTimestamp":1700000000}\n',
  ),
  ...['CVE-2021-44228=true', 'count=1', 'fields=NoSuchField'].map(
    (query): Case => ({
      name: `8.2 refused: ${query}`,
      given: [flag(true)],
      request: ray('00000000000000a1', query),
      status: 400,
      error: [undefined, /./],
    }),
  ),
  {
    name: '8.2 refused: the code of a data centre',
    given: [flag(true)],
    request: ray('00000000000000a1-IAD'),
    status: 400,
    error: [undefined, /./],
  },
]

const rest: readonly Case[] = [
  {
    name: '8.3 fields, without an envelope',
    request: ['GET', `${path}/received/fields`],
    headers: { 'content-type': /^application\/json/ },
    bare: { json: { success: undefined, result: undefined, RayID: /^string; ./, ClientASN: /^int; ./ } },
  },
  {
    name: '8.4 the flag is off',
    request: ['GET', `${path}/control/retention/flag`],
    result: new Exactly({ flag: false }),
  },
  { name: '8.4 the flag on', request: flag(true), result: new Exactly({ flag: true }) },
  {
    name: '8.4 the flag on again',
    given: [flag(true)],
    request: flag(true),
    result: new Exactly({ flag: true }),
  },
  {
    name: '8.4 the flag off',
    given: [flag(true)],
    request: flag(false),
    result: new Exactly({ flag: false }),
  },
  {
    name: '8.4 the flag is kept',
    given: [flag(true)],
    request: ['GET', `${path}/control/retention/flag`],
    result: { flag: true },
  },
  {
    name: '8.4 a change is in the audit log',
    given: [flag(true)],
    request: ['GET', '/accounts/<account>/audit_logs?per_page=1'],
    result: [{ resource: { type: 'logpull_retention', id: '<zone>' }, newValueJson: { flag: true } }],
  },
  ...['true', 1, null, undefined].map(
    (value): Case => ({
      name: `8.4 no flag: ${JSON.stringify(value)}`,
      request: flag(value),
      status: 400,
      error: [undefined, /flag/],
    }),
  ),
  ...[received('fields=RayID'), ray('00000000000000a1')].map(
    (request): Case => ({
      name: `8.4 while the flag is off: ${request[1]}`,
      request,
      status: 403,
      error: [undefined, /retention/],
    }),
  ),
  {
    name: '8.1 more than 15 requests a minute',
    given: [flag(true), ...Array.from({ length: 15 }, () => received('count=1'))],
    request: received('count=1'),
    status: 429,
    error: [undefined, /15/],
    headers: { 'retry-after': /^\d+$/ },
  },
]

export const logpullCases: readonly Case[] = [
  ...ranges,
  ...badRanges,
  ...shapes,
  ...badShapes,
  ...byRay,
  ...rest,
].map(row => ({ ...row, level: 'zone' }))
