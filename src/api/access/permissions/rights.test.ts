import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, TokenPolicy } from '../../../model/resource.ts'
import { type Area, allGroups, groupOf, type Level, superAdministrator } from './groups.ts'
import { groupsWithoutEffect } from './groups-without-effect.ts'
import { covers, type Resource, readResources } from './resources.ts'
import { rightsOf } from './rights.ts'

const accountA = 'a'.repeat(32)
const accountB = 'b'.repeat(32)
const zoneA = '1'.repeat(32)
const zoneB = '2'.repeat(32)
const user = '9'.repeat(32)
const root = 'com.cloudflare.api'

const targets = {
  accountA: { scope: 'account', id: accountA, accountId: accountA },
  accountB: { scope: 'account', id: accountB, accountId: accountB },
  zoneA: { scope: 'zone', id: zoneA, accountId: accountA },
  zoneB: { scope: 'zone', id: zoneB, accountId: accountB },
  newZoneInA: { scope: 'zone', id: '', accountId: accountA },
  user: { scope: 'user', id: user, accountId: '' },
} as const satisfies Record<string, Resource>
const accountOfZone = new Map([
  [zoneA, accountA],
  [zoneB, accountB],
])

test('resource names cover only the resources that they name', async t => {
  const rows: [resources: JsonObject, covered: (keyof typeof targets)[]][] = [
    [{ [`${root}.account.${accountA}`]: '*' }, ['accountA']],
    [{ [`${root}.account.*`]: '*' }, ['accountA', 'accountB']],
    [{ [`${root}.account.zone.${zoneA}`]: '*' }, ['zoneA']],
    [{ [`${root}.account.zone.*`]: '*' }, ['zoneA', 'zoneB', 'newZoneInA']],
    [{ [`${root}.account.${accountA}`]: { [`${root}.account.zone.*`]: '*' } }, ['zoneA', 'newZoneInA']],
    [{ [`${root}.account.*`]: { [`${root}.account.zone.*`]: '*' } }, ['zoneA', 'zoneB', 'newZoneInA']],
    [{ [`${root}.account.${accountA}`]: { [`${root}.account.zone.${zoneB}`]: '*' } }, []],
    [{ [`${root}.user.${user}`]: '*' }, ['user']],
    [{ [`${root}.user.*`]: '*', [`${root}.account.zone.${zoneB}`]: '*' }, ['user', 'zoneB']],
  ]
  for (const [resources, covered] of rows) {
    await t.test(JSON.stringify(resources), () => {
      const read = readResources(resources)
      assert.ok(read.ok)
      const found = Object.entries(targets).filter(([, resource]) =>
        read.patterns.some(one => covers(one, resource)),
      )
      assert.deepEqual(found.map(([name]) => name).sort(), covered.sort())
    })
  }
})

test('other resource names are refused', () => {
  for (const resources of [
    { 'com.cloudflare.api.account': '*' },
    { [`${root}.account.${accountA.slice(1)}`]: '*' },
    { [`${root}.account.${accountA.toUpperCase()}`]: '*' },
    { [`${root}.account.zone.${zoneA}`]: { x: '*' } },
    { [`${root}.account.${accountA}`]: { [`${root}.account.${accountA}`]: '*' } },
    { [`${root}.account.${accountA}`]: { [`${root}.account.zone.*`]: 'all' } },
    { [`${root}.account.${accountA}`]: 'all' },
    { [`${root}.account.${accountA}`]: ['*'] },
    { 'com.cloudflare.edge.r2.bucket.x': '*' },
  ]) {
    assert.equal(readResources(resources as JsonObject).ok, false, JSON.stringify(resources))
  }
})

function policy(
  effect: 'allow' | 'deny',
  groups: readonly (readonly [Area, Level] | 'all')[],
  ...names: readonly string[]
): TokenPolicy {
  return {
    id: 'f'.repeat(32),
    effect,
    permissionGroups: groups.map(group =>
      group === 'all' ? { id: superAdministrator.id } : { id: groupOf(...group).id },
    ),
    resources: Object.fromEntries(names.map(name => [`${root}.${name}`, '*'])),
  }
}

const wafRead = ['zoneWaf', 'read'] as const
const wafWrite = ['zoneWaf', 'write'] as const

test('a denial outweighs allowances, nothing is allowed by default, and write includes read', async t => {
  const rows: [name: string, TokenPolicy[], mayRead: boolean, mayWrite: boolean][] = [
    ['nothing', [], false, false],
    ['read', [policy('allow', [wafRead], 'account.zone.*')], true, false],
    ['write', [policy('allow', [wafWrite], 'account.zone.*')], true, true],
    ['another zone', [policy('allow', [wafWrite], `account.zone.${zoneB}`)], false, false],
    ['another group', [policy('allow', [['zoneLogs', 'write']], 'account.zone.*')], false, false],
    ['the account alone', [policy('allow', [wafWrite], `account.${accountA}`)], false, false],
    ['everything', [policy('allow', ['all'], 'account.zone.*')], true, true],
    [
      'write denied here',
      [
        policy('deny', [wafWrite], `account.zone.${zoneA}`),
        policy('allow', [wafRead, wafWrite], 'account.zone.*'),
      ],
      true,
      false,
    ],
    [
      'the only group denied here',
      [policy('allow', [wafWrite], 'account.zone.*'), policy('deny', [wafWrite], `account.zone.${zoneA}`)],
      false,
      false,
    ],
    [
      'reading denied',
      [policy('allow', [wafWrite], 'account.zone.*'), policy('deny', [wafRead], 'account.zone.*')],
      false,
      true,
    ],
    [
      'denied elsewhere',
      [policy('allow', [wafWrite], 'account.zone.*'), policy('deny', [wafWrite], `account.zone.${zoneB}`)],
      true,
      true,
    ],
    [
      'everything denied',
      [policy('allow', [wafWrite], 'account.zone.*'), policy('deny', ['all'], 'account.zone.*')],
      false,
      false,
    ],
    [
      'one denied of everything',
      [policy('allow', ['all'], 'account.zone.*'), policy('deny', [wafWrite], 'account.zone.*')],
      true,
      false,
    ],
  ]
  for (const [name, policies, mayRead, mayWrite] of rows) {
    await t.test(name, () => {
      const rights = rightsOf(policies)
      assert.equal(rights.may('zoneWaf', 'read', targets.zoneA), mayRead)
      assert.equal(rights.may('zoneWaf', 'write', targets.zoneA), mayWrite)
    })
  }
})

test('a token grants only permissions that it has', async t => {
  const all = policy('allow', ['all'], 'account.*', 'account.zone.*', 'user.*')
  const zones = policy('allow', [wafWrite], 'account.zone.*')
  const inA: TokenPolicy = {
    ...zones,
    resources: { [`${root}.account.${accountA}`]: { [`${root}.account.zone.*`]: '*' } },
  }
  const rows: [name: string, own: TokenPolicy[], wanted: TokenPolicy, missing: string | undefined][] = [
    ['the same', [zones], zones, undefined],
    ['everything', [all], all, undefined],
    ['one of everything', [all], zones, undefined],
    ['reading out of writing', [zones], policy('allow', [wafRead], 'account.zone.*'), undefined],
    ['writing out of reading', [policy('allow', [wafRead], 'account.zone.*')], zones, 'Zone WAF Write'],
    ['a zone out of all', [zones], policy('allow', [wafWrite], `account.zone.${zoneA}`), undefined],
    ['all out of a zone', [policy('allow', [wafWrite], `account.zone.${zoneA}`)], zones, 'Zone WAF Write'],
    [
      'a zone by its id out of its account',
      [inA],
      policy('allow', [wafWrite], `account.zone.${zoneA}`),
      undefined,
    ],
    [
      'a zone of another account',
      [inA],
      policy('allow', [wafWrite], `account.zone.${zoneB}`),
      'Zone WAF Write',
    ],
    [
      'a zone that is not here',
      [inA],
      policy('allow', [wafWrite], `account.zone.${'3'.repeat(32)}`),
      'Zone WAF Write',
    ],
    ['every account out of one', [inA], zones, 'Zone WAF Write'],
    ['everything out of some', [zones], policy('allow', ['all'], 'account.zone.*'), superAdministrator.name],
    ['denials need nothing', [zones], policy('deny', ['all'], 'account.*'), undefined],
    [
      'a permission that is denied in part',
      [zones, policy('deny', [wafWrite], `account.zone.${zoneA}`)],
      zones,
      'Zone WAF Write',
    ],
    [
      'beside what is denied',
      [zones, policy('deny', [wafWrite], `account.zone.${zoneA}`)],
      policy('allow', [wafWrite], `account.zone.${zoneB}`),
      undefined,
    ],
    [
      'everything with a denial',
      [all, policy('deny', [wafRead], `account.zone.${zoneA}`)],
      all,
      superAdministrator.name,
    ],
    [
      'writing where reading is denied',
      [zones, policy('deny', [wafRead], `account.zone.${zoneA}`)],
      zones,
      'Zone WAF Write',
    ],
  ]
  for (const [name, own, wanted, missing] of rows) {
    await t.test(name, () => {
      assert.equal(rightsOf(own).missing([wanted], accountOfZone)?.group, missing)
    })
  }
})

test('ids and names of permission groups are unique', () => {
  const ids = allGroups.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/)
  const names = allGroups.map(({ name, scopes }) => `${scopes} ${name}`)
  assert.equal(new Set(names).size, names.length)
})

test('permission groups of other products reach nothing', () => {
  const [other] = groupsWithoutEffect
  const resources = { [`${root}.account.*`]: '*' }
  const reaches = (id: string) =>
    rightsOf([{ id: '', effect: 'allow', permissionGroups: [{ id }], resources }]).reaches(targets.accountA)
  assert.equal(reaches(other!.id), false)
  assert.equal(reaches(groupOf('account', 'read').id), true)
})
