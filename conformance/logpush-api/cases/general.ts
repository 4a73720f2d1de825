import { type Case, codes, create, Exactly, folder, job, jobs, type Request } from '../case.ts'

/** Sections 1.1 and 1.2: common behaviour of all operations, and their permissions. */

const lists: readonly Case[] = [
  { name: '1.1 no jobs are an empty array', request: ['GET', jobs], result: new Exactly([]) },
  {
    name: '1.1 a list is whole, oldest first',
    given: [create({ name: 'a' }), create({ name: 'b' }), create({ name: 'b' })],
    request: ['GET', jobs],
    result: [{ name: 'a' }, { name: 'b' }, { name: 'b' }],
  },
  {
    name: '1.1 each level has a separate list',
    given: [create()],
    request: ['GET', '/<other>/logpush/jobs'],
    result: new Exactly([]),
  },
  ...(['GET', 'PUT', 'DELETE'] as const).map(
    (method): Case => ({
      name: `1.1 ${method} of a job of the other level`,
      given: [create()],
      request: [method, '/<other>/logpush/jobs/<job>', method === 'PUT' ? {} : undefined],
      status: 404,
      error: [codes.job, /<job>/],
    }),
  ),
]

const routes: readonly Case[] = [
  ...['/<scope>/logpush/nothing', `${jobs}/1/nothing`, '/<scope>/logpush'].map(
    (path): Case => ({
      name: `1.1 no route: ${path}`,
      request: ['GET', path],
      status: 404,
      error: [7003, /route/],
    }),
  ),
  {
    name: '1.1 an account that is not there',
    request: ['GET', '/accounts/0123456789abcdef0123456789abcdef/logpush/jobs'],
    status: 404,
    error: [7003, /./],
    level: 'account',
  },
  {
    name: '1.1 a zone that is not there',
    request: ['GET', '/zones/0123456789abcdef0123456789abcdef/logpush/jobs'],
    status: 404,
    error: [7003, /./],
    level: 'zone',
  },
  {
    name: '1.3 there is no PATCH',
    given: [create()],
    request: ['PATCH', job, { enabled: true }],
    status: 405,
    error: [10405, /./],
  },
  {
    name: '1.8 transformers are not there',
    request: ['GET', '/<scope>/logpush/transformers'],
    status: 404,
    error: [7003, /./],
  },
]

const json = { 'content-type': 'application/json' }
const bodies: readonly Case[] = [
  {
    name: '1.9 a body that is no JSON',
    request: ['POST', jobs, '{"destination_conf":', json],
    status: 400,
    error: [undefined, /invalid JSON/],
  },
  ...[[], 'text', 1, null].map(
    (body): Case => ({
      name: `1.9 a body that is ${JSON.stringify(body)}`,
      request: ['POST', jobs, JSON.stringify(body), json],
      status: 400,
      error: [undefined, /object/],
    }),
  ),
  { name: '1.9 no body', request: ['POST', jobs, '', json], status: 400, error: [undefined, /./] },
  {
    name: '1.2 DELETE with a body and a content type',
    given: [create()],
    request: ['DELETE', job, '{}', json],
    result: new Exactly({ id: '<job>' }),
  },
  {
    name: '1.2 DELETE with a body that is no JSON',
    given: [create()],
    request: ['DELETE', job, 'nothing', { 'content-type': 'text/plain' }],
    result: { id: '<job>' },
  },
  {
    name: '1.2 every answer says that it is JSON',
    request: ['GET', jobs],
    headers: { 'content-type': /^application\/json/ },
  },
]

const unknown: readonly Case[] = [
  ...(['GET', 'PUT', 'DELETE'] as const).flatMap(method =>
    ['999999', '0', '-1', '1.5', 'x', '99999999999999999999'].map(
      (id): Case => ({
        name: `1.2 ${method} of the unknown job ${id}`,
        request: [method, `${jobs}/${id}`, method === 'PUT' ? {} : undefined],
        status: 404,
        error: [codes.job, /not found/],
      }),
    ),
  ),
  ...(['GET', 'PUT', 'DELETE'] as const).map(
    (method): Case => ({
      name: `1.2 ${method} of a job that was deleted`,
      given: [create(), ['DELETE', job]],
      request: [method, job, method === 'PUT' ? {} : undefined],
      status: 404,
      error: [codes.job, /<job>/],
    }),
  ),
]

const credentials: readonly Case[] = [
  {
    name: '1.1 no credentials',
    request: ['GET', jobs, undefined, { authorization: undefined }],
    status: 400,
    error: [9106, /./],
  },
  {
    name: '1.1 a wrong token',
    request: ['GET', jobs, undefined, { authorization: `Bearer ${'x'.repeat(40)}` }],
    status: 401,
    error: [undefined, /./],
  },
  {
    name: '1.1 an e-mail and a key',
    request: [
      'GET',
      jobs,
      undefined,
      {
        authorization: undefined,
        'x-auth-email': 'admin@localhost',
        'x-auth-key': '0123456789abcdef0123456789abcdef01234567',
      },
    ],
    result: new Exactly([]),
  },
]

/** Ids of permission groups: of a level, to read and to write logs. */
const groups = {
  account: { read: '6a315a56f18441e59ed03352369ae956', write: '96163bd1b0784f62b3e44ed8c2ab1eb6' },
  zone: { read: 'c4a30cd58c5d42619c86a3c36c441e2d', write: '3e0b5820118e47f3922f7c989e673882' },
} as const
/** `Zone Read`, which does not concern logs. */
const zoneRead = 'c8fed203ed3043cba015a93ad1616f1f'
const resources = {
  account: { 'com.cloudflare.api.account.<account>': '*' },
  zone: { 'com.cloudflare.api.account.zone.<zone>': '*' },
}
const withToken = { authorization: 'Bearer <value>' }
const tokenFor = (level: 'account' | 'zone', id: string): Request => [
  'POST',
  '/user/tokens',
  { name: 't', policies: [{ effect: 'allow', permission_groups: [{ id }], resources: resources[level] }] },
]

const secret =
  's3://logs/x?region=us-east-1&endpoint=<s3>&access-key-id=S3RVER&secret-access-key=the-right-secret'
const levels = ['account', 'zone'] as const

const permissions: readonly Case[] = levels.flatMap((level): readonly Case[] => [
  {
    name: '1.1 logs write is enough to create',
    level,
    given: [tokenFor(level, groups[level].write)],
    request: ['POST', jobs, { destination_conf: folder }, withToken],
  },
  {
    name: '1.1 logs write sees the destination as it was written',
    level,
    given: [['POST', jobs, { destination_conf: secret }], tokenFor(level, groups[level].write)],
    request: ['GET', job, undefined, withToken],
    result: { destination_conf: secret },
  },
  {
    name: '1.1 logs read sees a job without its secrets',
    level,
    given: [['POST', jobs, { destination_conf: secret }], tokenFor(level, groups[level].read)],
    request: ['GET', job, undefined, withToken],
    result: { destination_conf: /^(?!.*the-right-secret).*\*\*\*/ },
  },
  {
    name: '1.1 logs read sees a list without secrets',
    level,
    given: [['POST', jobs, { destination_conf: secret }], tokenFor(level, groups[level].read)],
    request: ['GET', '/<scope>/logpush/datasets/http_requests/jobs', undefined, withToken],
    result: [{ destination_conf: /^(?!.*the-right-secret).*\*\*\*/ }],
  },
  ...(
    [
      ['POST', jobs, { destination_conf: folder }],
      ['PUT', job, { enabled: true }],
      ['DELETE', job, undefined],
      ['POST', '/<scope>/logpush/ownership', { destination_conf: folder }],
      ['POST', '/<scope>/logpush/validate/destination', { destination_conf: folder }],
    ] as const
  ).map(
    ([method, path, body]): Case => ({
      name: `1.1 logs read is not enough for ${method} ${path}`,
      level,
      given: [create(), tokenFor(level, groups[level].read)],
      request: [method, path, body, withToken],
      status: 403,
      error: [undefined, /./],
    }),
  ),
])

const others: readonly Case[] = [
  {
    name: '1.1 another permission is none',
    level: 'zone',
    given: [tokenFor('zone', zoneRead)],
    request: ['GET', jobs, undefined, withToken],
    status: 403,
    error: [undefined, /./],
  },
  ...(
    [
      ['create', [create()]],
      ['update', [create(), ['PUT', job, { name: 'b' }]]],
      ['delete', [create(), ['DELETE', job]]],
    ] as const satisfies readonly (readonly [string, readonly Request[]])[]
  ).map(
    ([type, given]): Case => ({
      name: `1.1 the audit log knows a ${type}`,
      given,
      request: ['GET', '/accounts/<account>/audit_logs?per_page=1'],
      result: [{ action: { type }, resource: { type: 'logpush_job', id: /^<job>$/ } }],
    }),
  ),
  {
    name: '1.1 the audit log has no secrets',
    given: [['POST', jobs, { destination_conf: secret }]],
    request: ['GET', '/accounts/<account>/audit_logs?per_page=1'],
    result: [{ newValueJson: { destination_conf: /^(?!.*the-right-secret).*\*\*\*/ } }],
  },
]

export const generalCases = [
  ...lists,
  ...routes,
  ...bodies,
  ...unknown,
  ...credentials,
  ...permissions,
  ...others,
]
