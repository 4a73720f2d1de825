import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionGroup } from '../../api/types.ts'
import { emptyDraft, missingOf, type TokenDraft, tokenBody } from './draft.ts'
import { everythingGroup, permissionRows } from './permission-rows.ts'
import { permissionSummary, resourceSummary } from './words.ts'

const scopes = {
  account: 'com.cloudflare.api.account',
  zone: 'com.cloudflare.api.account.zone',
  user: 'com.cloudflare.api.user',
}

function group(id: string, name: string, ...own: (keyof typeof scopes)[]): PermissionGroup {
  return { id, name, scopes: own.map(scope => scopes[scope]), category: '', is_selectable: true }
}

const groups = [
  group('all', 'Super Administrator - All Privileges', 'account', 'zone', 'user'),
  group('zr', 'Logs Read', 'zone'),
  group('zw', 'Logs Write', 'zone'),
  group('ar', 'Logs Read', 'account'),
  group('tr', 'Allow Request Tracer Read', 'account'),
  group('ur', 'API Tokens Read', 'user'),
]
const rows = permissionRows(groups)
const surroundings = {
  rows,
  everythingId: everythingGroup(groups)?.id,
  accountId: 'acc',
  owner: 'user' as const,
}
const draft = (change: Partial<TokenDraft>): TokenDraft => ({ ...emptyDraft, name: 'n', ...change })

test('groups are pairs of Read and Write, separate per scope', () => {
  assert.deepEqual(
    rows.map(({ key, read, write }) => [key, read?.id, write?.id]),
    [
      ['zone Logs', 'zr', 'zw'],
      ['account Logs', 'ar', undefined],
      ['account Allow Request Tracer', 'tr', undefined],
      ['user API Tokens', 'ur', undefined],
    ],
  )
})

const allZones = { 'com.cloudflare.api.account.acc': { 'com.cloudflare.api.account.zone.*': '*' } }
const account = { 'com.cloudflare.api.account.acc': '*' }
const user = { 'com.cloudflare.api.user.*': '*' }
const zone = { 'com.cloudflare.api.account.zone.z': '*' }

test('a draft becomes one policy for each kind of resource', () => {
  const chosen = [{ id: 'z', name: 'shop.test' }]
  const cases: readonly [
    name: string,
    change: Partial<TokenDraft>,
    want: readonly (readonly [string, object])[],
  ][] = [
    ['nothing', {}, []],
    ['all zones', { levels: { 'zone Logs': 'write' } }, [['zw', allZones]]],
    ['a zone', { levels: { 'zone Logs': 'read' }, zones: chosen }, [['zr', zone]]],
    [
      'zones and account',
      { levels: { 'zone Logs': 'read', 'account Logs': 'read' } },
      [
        ['zr', allZones],
        ['ar', account],
      ],
    ],
    [
      'two of the account',
      { levels: { 'account Logs': 'read', 'account Allow Request Tracer': 'read' } },
      [['ar,tr', account]],
    ],
    ['a group without write', { levels: { 'account Logs': 'write' } }, []],
    ['the user', { levels: { 'user API Tokens': 'read' } }, [['ur', user]]],
    [
      'everything',
      { everything: true, levels: { 'zone Logs': 'read' } },
      [
        ['all', allZones],
        ['all', account],
        ['all', user],
      ],
    ],
  ]
  for (const [name, change, want] of cases)
    assert.deepEqual(
      tokenBody(draft(change), surroundings).policies.map(({ permission_groups, resources }) => [
        permission_groups.map(({ id }) => id).join(),
        resources,
      ]),
      want,
      name,
    )
})

test('an account token has no user permissions', () => {
  const own = { ...surroundings, owner: 'account' as const }
  const { policies } = tokenBody(draft({ everything: true }), own)
  assert.deepEqual(
    policies.map(({ resources }) => resources),
    [allZones, account],
  )
})

test('conditions are in the body when they are set', () => {
  const endsAt = Date.UTC(2030, 0, 2, 3, 4)
  const body = tokenBody(
    draft({ name: ' n ', endsAt, onlyFrom: ['10.0.0.0/8'], neverFrom: ['10.0.0.1'] }),
    surroundings,
  )
  assert.deepEqual(
    [body.name, body.expires_on, body.condition],
    ['n', '2030-01-02T03:04:00Z', { request_ip: { in: ['10.0.0.0/8'], not_in: ['10.0.0.1'] } }],
  )
  assert.deepEqual(Object.keys(tokenBody(draft({}), surroundings)), ['name', 'policies'])
})

test('missing inputs are named', () => {
  const cases: readonly [change: Partial<TokenDraft>, want: RegExp | undefined][] = [
    [{ name: ' ' }, /name/],
    [{}, /permission/],
    [{ levels: { 'zone Logs': 'read' }, zones: [] }, /zone/],
    [{ levels: { 'account Logs': 'read' }, zones: [] }, undefined],
    [{ levels: { 'zone Logs': 'read' } }, undefined],
  ]
  for (const [change, want] of cases) {
    const missing = missingOf(draft(change), surroundings)
    if (want === undefined) assert.equal(missing, undefined, JSON.stringify(change))
    else assert.match(missing ?? '', want)
  }
})

test('the permissions of a token fit in a line', () => {
  const policy = (names: readonly string[], resources: object, effect: 'allow' | 'deny' = 'allow') => ({
    id: '',
    effect,
    permission_groups: names.map(name => ({ id: name, name })),
    resources,
  })
  const token = (...policies: ReturnType<typeof policy>[]) => ({ policies }) as never
  assert.equal(
    permissionSummary(token(policy(['A', 'B'], zone), policy(['B', 'C'], account))),
    'A and 2 more',
  )
  assert.equal(permissionSummary(token(policy(['A'], zone, 'deny'))), 'None')
  assert.equal(
    resourceSummary(token(policy(['A'], { ...zone, 'com.cloudflare.api.account.zone.y': '*' }))),
    '2 zones',
  )
  assert.equal(
    resourceSummary(token(policy(['A'], allZones), policy(['B'], account), policy(['C'], user))),
    'All zones of the account, the account, the user',
  )
})
